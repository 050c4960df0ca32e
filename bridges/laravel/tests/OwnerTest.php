<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Cache\Lock;
use Redislock\Laravel\Tests\Support\ObservedRedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockException;

/** The extension is asked for the owner of a lock only when somebody asks the lock for it. */
#[Group('extension')]
class OwnerTest extends TestCase
{
    private const KEY = 'app:cache:SKU0001';

    public function test_a_lock_is_taken_and_released_without_its_owner(): void
    {
        $lock = $this->observed();

        self::assertTrue($lock->get());
        self::assertFalse($lock->get());
        self::assertTrue($lock->refresh(20));
        self::assertTrue($lock->isOwnedByCurrentProcess());
        self::assertTrue($lock->release());
        self::assertFalse($lock->release());
        self::assertFalse($lock->refresh(20));
        self::assertSame('result', $lock->block(1, fn () => 'result'));
        self::assertTrue($lock->get());
        $lock->forceRelease();
        self::assertFalse($lock->isOwnedByCurrentProcess());
        self::assertSame([], ObservedRedisLock::$shown);
    }

    public function test_nor_does_a_lock_that_is_renewed_need_it(): void
    {
        self::assertSame('result', $this->observed()->renew()->block(1, fn () => 'result'));
        self::assertSame([], ObservedRedisLock::$shown);
    }

    public function test_the_owner_of_a_lock_that_is_held_is_in_redis(): void
    {
        $lock = $this->observed();
        $lock->get();

        self::assertSame($this->redis->cmd('GET', self::KEY), $lock->owner());
        self::assertSame($lock->owner(), $lock->owner());
        self::assertSame(['token'], ObservedRedisLock::$shown);
        self::assertTrue($lock->isOwnedBy($lock->owner()));
        self::assertTrue($lock->isOwnedByCurrentProcess());
    }

    public function test_the_owner_that_was_asked_for_stays_after_the_release(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $owner = $lock->owner();
        $lock->release();

        self::assertSame($owner, $lock->owner());
        self::assertTrue($lock->get());
        self::assertNotSame($owner, $lock->owner());
        self::assertSame($this->redis->cmd('GET', self::KEY), $lock->owner());
    }

    public function test_the_owner_that_is_asked_for_after_the_release_holds_nothing(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $lock->release();
        $owner = $lock->owner();

        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}/', $owner);
        self::assertSame($owner, $lock->owner());
        self::assertFalse($lock->release());
        self::assertFalse($lock->isOwnedByCurrentProcess());
        self::assertTrue($lock->get());
        self::assertNotSame($owner, $this->redis->cmd('GET', self::KEY), 'it was not chosen for the next time');
        self::assertSame($this->redis->cmd('GET', self::KEY), $lock->owner());
    }

    public function test_the_owner_of_a_lock_that_was_lost_holds_nothing(): void
    {
        $lock = Cache::lock('SKU0001', 0.2);
        $lock->get();
        $this->eventually(fn () => $this->redis->cmd('GET', self::KEY) === null, 'the lease ends');
        Cache::lock('SKU0001', 10)->get();

        self::assertFalse($lock->isOwnedBy($lock->owner()));
        self::assertFalse($lock->isOwnedByCurrentProcess());
        self::assertFalse(Cache::restoreLock('SKU0001', $lock->owner())->release());
        self::assertFalse($lock->release());
        self::assertNotNull($this->redis->cmd('GET', self::KEY));
    }

    public function test_a_try_that_failed_leaves_the_owner(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        self::assertFalse($lock->get());

        self::assertSame($this->redis->cmd('GET', self::KEY), $lock->owner());
        self::assertTrue($lock->release());
    }

    public function test_a_lock_that_was_not_had_has_the_owner_that_it_was_asked_for(): void
    {
        Cache::lock('SKU0001', 10)->get();
        $lock = Cache::lock('SKU0001', 10);
        self::assertFalse($lock->get());
        $owner = $lock->owner();
        Cache::lock('SKU0001')->forceRelease();

        self::assertTrue($lock->get());
        self::assertSame($owner, $this->redis->cmd('GET', self::KEY));
    }

    public function test_a_loss_is_seen_without_the_owner(): void
    {
        $lock = $this->observed();
        $lock->get();
        $this->redis->cmd('SET', self::KEY, 'somebody else');

        self::assertFalse($lock->isOwnedByCurrentProcess());
        self::assertFalse($lock->release());
        self::assertSame([], ObservedRedisLock::$shown);
        self::assertSame('somebody else', $this->redis->cmd('GET', self::KEY));
    }

    public function test_a_lock_that_is_released_elsewhere_is_not_released_again(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $elsewhere = $this->process('$say(Cache::restoreLock("SKU0001", trim(fgets(STDIN)))->release() ? "yes" : "no");');
        $elsewhere->tell($lock->owner());
        self::assertSame('yes', $elsewhere->readLine());
        Cache::lock('SKU0001', 10)->get();

        self::assertFalse($lock->release());
        self::assertNotNull($this->redis->cmd('GET', self::KEY));
    }

    public function test_what_could_not_be_released_is_released_by_the_next_try(): void
    {
        foreach (['release', 'forceRelease'] as $method) {
            $lock = $this->observed();
            $lock->get();
            $this->redis->cmd('ACL', 'SETUSER', 'default', '-@scripting');
            try {
                $lock->$method();
                self::fail("$method() is refused");
            } catch (RedisLockException) {
            } finally {
                $this->redis->cmd('ACL', 'SETUSER', 'default', '+@all');
            }

            self::assertTrue($lock->release());
            self::assertFalse($lock->release());
            self::assertNull($this->redis->cmd('GET', self::KEY));
            self::assertSame([], ObservedRedisLock::$shown);
        }
    }

    public function test_a_clone_knows_the_same_owner(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $clone = clone $lock;

        self::assertSame($lock->owner(), $clone->owner());
        self::assertTrue($clone->release());
        self::assertFalse($lock->release());
    }

    /** As the store makes it. */
    private function observed(): Lock
    {
        ObservedRedisLock::$shown = [];

        return new Lock(
            fn (array $more) => new ObservedRedisLock(self::server()->dsn(), $more + ['prefix' => '', 'auto_release' => false]),
            'default',
            self::KEY,
            10,
        );
    }
}
