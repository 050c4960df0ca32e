<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockException;
use RuntimeException;

/** Cache::lock() as applications use it, with and without the extension. */
#[Group('uses')]
class CacheLockTest extends TestCase
{
    private const KEY = 'app:cache:SKU0001';

    public function test_get(): void
    {
        $lock = Cache::lock('SKU0001', 10);

        self::assertTrue($lock->get());
        self::assertFalse(Cache::lock('SKU0001', 10)->get());
        self::assertFalse($lock->get(), 'a lock is not had twice by its holder');
        self::assertSame($lock->owner(), $this->redis->cmd('GET', self::KEY));
        self::assertEqualsWithDelta(10_000, $this->redis->cmd('PTTL', self::KEY), 2_000);
    }

    public function test_get_with_a_section(): void
    {
        $inside = Cache::lock('SKU0001', 10)->get(fn () => [Cache::lock('SKU0001', 10)->get(), 'result']);

        self::assertSame([false, 'result'], $inside);
        self::assertTrue(Cache::lock('SKU0001', 10)->get(), 'it was released');
    }

    public function test_block(): void
    {
        $holder = $this->process('
            $lock = Cache::lock("SKU0001", 10);
            $say($lock->get() ? "held" : "refused");
            fgets(STDIN);
            Illuminate\Support\Facades\Redis::set("released", 1);
            $lock->release();
        ');
        self::assertSame('held', $holder->readLine());
        $holder->tell('release');

        $released = Cache::lock('SKU0001', 10)->block(20, fn () => [
            $this->redis->cmd('GET', 'app:released'),
            Cache::lock('SKU0001', 10)->get(),
        ]);

        self::assertSame(['1', false], $released);
        self::assertTrue(Cache::lock('SKU0001', 10)->block(0), 'it was released');
    }

    public function test_block_gives_up(): void
    {
        Cache::lock('SKU0001', 10)->get();

        $this->expectException(LockTimeoutException::class);
        Cache::lock('SKU0001', 10)->block(0.3, fn () => self::fail('nobody gets in'));
    }

    public function test_release(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $other = Cache::lock('SKU0001', 10);
        self::assertTrue($lock->get());

        self::assertFalse($other->release(), 'it is not the holder');
        self::assertTrue($lock->isOwnedByCurrentProcess());
        self::assertFalse($other->isOwnedByCurrentProcess());
        self::assertTrue($lock->release());
        self::assertFalse($lock->release(), 'it was released');
        self::assertTrue($other->get());
    }

    public function test_a_section_that_throws_releases(): void
    {
        try {
            Cache::lock('SKU0001', 10)->block(1, function () {
                self::assertFalse(Cache::lock('SKU0001')->get());
                throw new RuntimeException('in the section');
            });
            self::fail('the exception is not swallowed');
        } catch (RuntimeException $e) {
            self::assertSame('in the section', $e->getMessage());
        }

        self::assertTrue(Cache::lock('SKU0001', 10)->get());
    }

    public function test_restore_lock(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();

        self::assertFalse(Cache::restoreLock('SKU0001', 'somebody else')->release());
        $elsewhere = $this->process('$say(Cache::restoreLock("SKU0001", trim(fgets(STDIN)))->release() ? "released" : "not released");');
        $elsewhere->tell($lock->owner());
        self::assertSame('released', $elsewhere->readLine());
        self::assertTrue(Cache::lock('SKU0001', 10)->get());
        self::assertFalse($lock->release(), 'it is not the holder any more');
    }

    public function test_owner_that_holds_the_lock_already(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 10, 'job-1')->get());

        self::assertFalse(Cache::restoreLock('SKU0001', 'job-1')->get());
        try {
            Cache::lock('SKU0001', 10, 'job-1')->block(1);
            self::fail('it is held');
        } catch (LockTimeoutException) {
        }
        self::assertSame('job-1', $this->redis->cmd('GET', self::KEY));
        self::assertTrue(Cache::restoreLock('SKU0001', 'job-1')->release());
        self::assertTrue(Cache::lock('SKU0001', 10, 'job-1')->block(1));
    }

    #[Group('extension')]
    public function test_owner_that_holds_the_lock_keeps_it_when_the_server_does_not_answer(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 10, 'job-1')->get());

        self::server()->pause();
        try {
            Cache::restoreLock('SKU0001', 'job-1')->get();
            self::fail('nothing is answered');
        } catch (RedisLockException) {
        } finally {
            self::server()->resume();
        }
        usleep(50_000); // what was sent, it runs now
        self::assertSame('job-1', $this->redis->cmd('GET', self::KEY));
    }

    public function test_force_release(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        self::assertTrue($lock->get());
        self::assertFalse(Cache::lock('SKU0001', 10)->get());

        Cache::lock('SKU0001')->forceRelease();

        self::assertFalse($lock->release());
        self::assertTrue($lock->get(), 'and it can be taken again');
        $lock->forceRelease();
        self::assertTrue($lock->get());
    }

    #[Group('extension')] // Laravel 11's own lock has none
    public function test_refresh(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        self::assertFalse($lock->refresh(), 'it is not held yet');
        $lock->get();

        self::assertTrue($lock->refresh(100));
        self::assertEqualsWithDelta(100_000, $this->redis->cmd('PTTL', self::KEY), 2_000);
        self::assertTrue($lock->refresh());
        self::assertEqualsWithDelta(10_000, $this->redis->cmd('PTTL', self::KEY), 2_000);
        self::assertTrue(Cache::restoreLock('SKU0001', $lock->owner())->refresh(50));
        self::assertEqualsWithDelta(50_000, $this->redis->cmd('PTTL', self::KEY), 2_000);
        self::assertTrue($lock->refresh(0), '0 is without end');
        self::assertSame(-1, $this->redis->cmd('PTTL', self::KEY));

        $this->redis->cmd('DEL', self::KEY);
        self::assertFalse($lock->refresh(100), 'a lock that was lost does not come back');
    }

    public function test_without_seconds_it_has_no_end(): void
    {
        self::assertTrue(Cache::lock('SKU0001')->get());
        self::assertSame(-1, $this->redis->cmd('PTTL', self::KEY));
        self::assertFalse(Cache::lock('SKU0001', 1)->get());
    }

    public function test_an_owner_of_the_callers_choice(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 10, 'me')->get());
        self::assertSame('me', $this->redis->cmd('GET', self::KEY));
        self::assertFalse(Cache::lock('SKU0001', 10, 'me')->get());
        self::assertTrue(Cache::lock('SKU0001', 10, 'me')->release());
    }

    public function test_the_owner_may_be_asked_first(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $owner = $lock->owner();
        $lock->get();

        self::assertSame($owner, $lock->owner());
        self::assertSame($owner, $this->redis->cmd('GET', self::KEY));
    }

    public function test_it_can_be_taken_again_when_its_lease_ended(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $this->redis->cmd('DEL', self::KEY);

        self::assertTrue($lock->get());
        self::assertFalse(Cache::lock('SKU0001', 10)->get());
        self::assertTrue($lock->release());
    }

    public function test_clearing_the_cache_releases_no_lock(): void
    {
        Cache::put('price', 7, 60);
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();

        $this->app->make('Illuminate\Contracts\Console\Kernel')->call('cache:clear');

        self::assertNull(Cache::get('price'));
        self::assertFalse(Cache::lock('SKU0001', 10)->get());
        self::assertTrue($lock->release());
    }
}
