<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Queue\Middleware\WithoutOverlapping;
use Illuminate\Support\Facades\Cache;
use InvalidArgumentException;
use PHPUnit\Framework\Attributes\Group;
use RedisLock as Extension;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;

/** Leases that are renewed while the holder works. */
#[Group('extension')]
class RenewTest extends TestCase
{
    private const KEY = 'app:cache:SKU0001';

    public function test_a_lock_says_that_it_is_renewed(): void
    {
        $lock = Cache::lock('SKU0001', 2.0);

        self::assertSame($lock, $lock->renew());
        self::assertTrue($lock->get());
        $this->assertIsRenewed();
        self::assertTrue($lock->release());
        self::assertNull($this->redis->cmd('GET', self::KEY));
    }

    public function test_a_section_is_renewed(): void
    {
        $warnings = $this->warnings();

        self::assertSame('result', Cache::lock('SKU0001', 2.0)->renew()->block(5, function () {
            $this->assertIsRenewed();

            return 'result';
        }));
        self::assertSame([], (array) $warnings, 'it was not lost');
    }

    public function test_without_it_the_lease_ends(): void
    {
        foreach ([Cache::lock('SKU0001', 1.0), Cache::lock('SKU0001', 1.0)->renew(false)] as $lock) {
            self::assertTrue($lock->get());
            $this->assertItEnds();
        }
    }

    public function test_it_is_renewed_no_longer_than_its_object_lives(): void
    {
        $lock = Cache::lock('SKU0001', 2.0)->renew();
        $lock->get();
        $this->assertIsRenewed();

        unset($lock);
        gc_collect_cycles();

        self::assertNotNull($this->redis->cmd('GET', self::KEY), 'and is not released');
        $this->assertItEnds();
    }

    public function test_a_lock_without_end_has_nothing_to_renew(): void
    {
        $lock = Cache::lock('SKU0001')->renew();

        self::assertTrue($lock->get());
        self::assertSame(-1, $this->redis->cmd('PTTL', self::KEY));
        self::assertTrue($lock->refresh(2.0));
        $this->assertItEnds();
    }

    public function test_refresh_sets_the_seconds_that_are_renewed(): void
    {
        $lock = Cache::lock('SKU0001', 60)->renew();
        $lock->get();

        self::assertTrue($lock->refresh(2.0));
        self::assertLessThanOrEqual(2000, $this->redis->cmd('PTTL', self::KEY));
        $this->assertIsRenewed();
    }

    public function test_the_configuration_may_say_so(): void
    {
        config(['redislock.renew' => true, 'cache.stores.plain' => ['renew' => false] + config('cache.stores.redislock')]);
        Cache::forgetDriver('redislock');

        $lock = Cache::lock('SKU0001', 2.0);
        self::assertTrue($lock->get());
        $this->assertIsRenewed();
        self::assertTrue($lock->release());
        self::assertTrue(Cache::lock('SKU0001')->get(), 'a lock without end is not refused');
        Cache::lock('SKU0001')->forceRelease();
        self::assertTrue(($plain = Cache::store('plain')->lock('SKU0001', 1.0))->get());
        $this->assertItEnds();
        self::assertFalse($plain->release());
    }

    public function test_a_store_may_say_so(): void
    {
        config(['cache.stores.renewing' => ['renew' => true] + config('cache.stores.redislock')]);

        self::assertTrue(($lock = Cache::store('renewing')->lock('SKU0001', 2.0))->get());
        $this->assertIsRenewed();
        self::assertTrue($lock->release());
    }

    public function test_a_word_in_the_environment_means_what_it_says(): void
    {
        try {
            foreach (['off' => false, '0' => false, 'on' => true] as $word => $renewed) {
                $_ENV['REDISLOCK_RENEW'] = (string) $word;
                config(['redislock.renew' => (require __DIR__.'/../config/redislock.php')['renew']]);
                Cache::forgetDriver('redislock');

                self::assertTrue(($lock = Cache::lock('SKU0001', 2.0))->get());
                usleep(2_500_000);
                self::assertSame($renewed, $this->redis->cmd('GET', self::KEY) !== null, "\"$word\"");
                unset($lock);
            }
        } finally {
            unset($_ENV['REDISLOCK_RENEW']);
        }
    }

    public function test_what_is_no_word_for_a_bool_is_refused(): void
    {
        foreach (['redislock.renew' => null, 'cache.stores.redislock.renew' => null, 'redislock.fallback' => true] as $setting => $good) {
            config([$setting => 'perhaps']);
            Cache::forgetDriver('redislock');
            try {
                Cache::store('redislock');
                self::fail("$setting is no word for a bool");
            } catch (InvalidArgumentException $e) {
                self::assertStringStartsWith("$setting must be true or false", $e->getMessage());
            }
            config([$setting => $good]);
        }
    }

    public function test_it_is_renewed_for_no_longer_than_the_configuration_says(): void
    {
        config(['redislock.max_hold' => 1.2]);
        set_error_handler(function (int $type, string $text) use (&$warning): bool {
            $warning = $text;
            return true;
        });

        try {
            $lock = Cache::lock('SKU0001', 1.0)->renew();
            self::assertTrue($lock->get());
            $this->assertItEnds();
            self::assertFalse($lock->release());
        } finally {
            restore_error_handler();
        }
        self::assertStringContainsString('held for longer than max_hold (1.2 s)', $warning ?? '');
    }

    public function test_the_class_is_renewed(): void
    {
        config(['redislock.renew' => true, 'redislock.prefix' => 'cache:', 'redislock.expire' => 2.0]);

        self::assertTrue(RedisLock::lock('SKU0001'));
        $this->assertIsRenewed();
        self::assertTrue(RedisLock::unlock('SKU0001'));
        self::assertTrue(RedisLock::lock('SKU0001', expire: 1.0, renew: false));
        $this->assertItEnds();
        self::assertTrue(RedisLock::synchronized('SKU0001', fn () => RedisLock::remaining('SKU0001') > 1, expire: 5, renew: true));
    }

    public function test_a_lock_that_was_restored_is_renewed_once_it_is_refreshed(): void
    {
        $taken = Cache::lock('SKU0001', 60);
        $taken->get();
        $restored = Cache::restoreLock('SKU0001', $taken->owner())->renew();

        self::assertTrue($restored->refresh(2.0));
        $this->assertIsRenewed();
        self::assertTrue($restored->release());
        self::assertFalse($restored->refresh(2.0), 'it is not ours any more');
        self::assertFalse(Cache::restoreLock('SKU0001', 'somebody else')->renew()->refresh(5));
    }

    public function test_an_owner_that_holds_the_lock_keeps_its_lease(): void
    {
        ini_set('redislock.renew', '1');
        try {
            $first = Cache::lock('SKU0001', 60, 'job-1');
            self::assertTrue($first->get());
            self::assertFalse(Cache::lock('SKU0001', 2.0, 'job-1')->renew()->get());
            self::assertGreaterThan(50_000, $this->redis->cmd('PTTL', self::KEY));
        } finally {
            ini_restore('redislock.renew');
        }
    }

    public function test_a_job_whose_worker_is_killed_is_replaced_within_its_lease(): void
    {
        config(['redislock.renew' => true]);
        RenewedJob::dispatch();
        $worker = $this->process('class_exists('.self::class.'::class);config(["redislock.renew" => true]);'
            .'$app->make(Illuminate\Contracts\Console\Kernel::class)->call("queue:work", ["--once" => true]);');
        self::assertSame('works', $worker->readLine());
        RenewedJob::$seconds = 0;
        RenewedJob::dispatch();
        $this->work();
        self::assertSame(1, $this->redis->cmd('ZCARD', 'app:queues:default:delayed'), 'nobody works on it at the same time');
        usleep(2_500_000); // longer than the lease
        self::assertTrue($worker->isRunning());
        self::assertFalse(Cache::lock('laravel-queue-overlap:report', 2)->get());

        $worker->kill();

        $began = microtime(true);
        self::assertTrue(Cache::lock('laravel-queue-overlap:report', 2)->block(20));
        self::assertLessThan(10, microtime(true) - $began);
    }

    /** It stays for longer than a lease of 2.0 s, and the lease is as long as ever. */
    private function assertIsRenewed(): void
    {
        $before = $this->renewed();
        $owner = $this->redis->cmd('GET', self::KEY);
        self::assertNotNull($owner);
        usleep(2_500_000);
        self::assertSame($owner, $this->redis->cmd('GET', self::KEY));
        self::assertGreaterThan($before, $this->renewed());
    }

    private function assertItEnds(): void
    {
        $this->eventually(fn () => $this->redis->cmd('GET', self::KEY) === null, 'the lease ends');
    }

    private function renewed(): int
    {
        return Extension::stats()['renewed'];
    }

    private function work(): void
    {
        $this->app->make(Kernel::class)->call('queue:work', ['--once' => true, '--sleep' => 0]);
    }
}

class RenewedJob implements ShouldQueue
{
    use Queueable;

    /** How long the next one works. */
    public static int $seconds = 60;

    private int $works;

    public function __construct()
    {
        $this->works = self::$seconds;
    }

    public function middleware(): array
    {
        return [(new WithoutOverlapping('report', expiresAfter: 2))->shared()->releaseAfter(60)];
    }

    public function handle(): void
    {
        echo "works\n";
        sleep($this->works);
    }
}
