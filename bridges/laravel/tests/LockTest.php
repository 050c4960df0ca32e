<?php

namespace Redislock\Laravel\Tests;

use ArrayObject;
use Carbon\CarbonInterval;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Log\Events\MessageLogged;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Sleep;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Cache\Lock;
use Redislock\Laravel\Facades\RedisLock as RedisLockFacade;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLock;
use RedisLockException;

/** What the lock of the extension has beyond Laravel's own. */
#[Group('extension')]
class LockTest extends TestCase
{
    private const KEY = 'app:cache:SKU0001';

    protected function tearDown(): void
    {
        Sleep::fake(false);
        Sleep::$fakeSleepCallbacks = [];
        parent::tearDown();
    }

    public function test_it_is_the_extensions(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();

        self::assertInstanceOf(Lock::class, $lock);
        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}:-[0-9a-f]{11}:/', $lock->owner());
    }

    public function test_a_wait_is_in_the_server(): void
    {
        Cache::lock('SKU0001', 30)->get();
        $waiter = $this->process('$say("waits"); $say(Cache::lock("SKU0001", 10)->block(30, fn () => "had it"));');
        $waiter->readLine();
        $this->eventually(fn () => $this->redis->cmd('ZCARD', '{'.self::KEY.'}:rl:wait') === 1, 'it waits');
        $before = command_calls($this->redis);

        Cache::lock('SKU0001')->forceRelease();

        self::assertSame('had it', $waiter->readLine());
        self::assertArrayHasKey('blpop', $before);
        self::assertSame(0, array_sum(array_intersect_key(command_calls($this->redis), ['setnx' => 1])), 'nothing of Laravel asks');
    }

    public function test_is_locked(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        if (! method_exists($lock, 'isLocked')) {
            self::assertLessThan(13, (int) $this->app->version());

            return;
        }

        self::assertFalse($lock->isLocked());
        Cache::lock('SKU0001', 10)->get();
        self::assertTrue($lock->isLocked());
    }

    public function test_it_names_its_connection_as_laravels_own_does(): void
    {
        self::assertSame('default', Cache::lock('SKU0001', 10)->getConnectionName());
        config(['cache.stores.other' => ['driver' => 'redislock', 'connection' => 'cache']]);
        self::assertSame('cache', Cache::store('other')->lock('SKU0001', 10)->getConnectionName());
    }

    public function test_a_wait_obeys_a_faked_sleep(): void
    {
        Cache::lock('SKU0001', 30)->get();
        $slept = 0;
        Sleep::fake();
        Sleep::whenFakingSleep(function (CarbonInterval $time) use (&$slept) {
            if (++$slept === 3) {
                Cache::lock('SKU0001')->forceRelease();
            }
        });

        self::assertSame([false, 'result'], Cache::lock('SKU0001', 10)->betweenBlockedAttemptsSleepFor(700)->block(60, fn () => [
            Cache::lock('SKU0001', 10)->get(), 'result',
        ]));
        Sleep::assertSequence(array_fill(0, 3, Sleep::for(700)->milliseconds()));
        self::assertTrue(Cache::lock('SKU0001', 10)->get(), 'it was released');
    }

    public function test_a_faked_wait_gives_up_by_the_faked_clock(): void
    {
        Cache::lock('SKU0001', 600)->get();
        Sleep::fake(syncWithCarbon: true);
        $began = microtime(true);

        try {
            Cache::lock('SKU0001', 10)->block(360);
            self::fail('it is held');
        } catch (LockTimeoutException) {
            self::assertLessThan(100, microtime(true) - $began);
        }
    }

    public function test_each_time_it_is_taken_it_has_another_owner(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $owners = [];
        for ($i = 0; $i < 3; $i++) {
            self::assertTrue($lock->get());
            $owners[] = $lock->owner();
            self::assertTrue($lock->release());
        }

        self::assertCount(3, array_unique($owners));
    }

    public function test_a_lock_that_nobody_holds_any_more_is_not_released(): void
    {
        $lock = Cache::lock('SKU0001', 10);
        $lock->get();
        $owner = $lock->owner();
        unset($lock);
        gc_collect_cycles();

        self::assertSame($owner, $this->redis->cmd('GET', self::KEY));
    }

    public function test_fractions_of_seconds(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 0.5)->get());
        $left = $this->redis->cmd('PTTL', self::KEY);
        self::assertTrue($left === -2 || $left > 0 && $left <= 500, "$left ms, but never without end");
    }

    public function test_a_lost_lock_is_logged_and_the_result_kept(): void
    {
        $warnings = $this->warnings();

        $result = Cache::lock('SKU0001', 10)->get(function () {
            $this->redis->cmd('DEL', self::KEY);

            return 'committed';
        });

        self::assertSame('committed', $result);
        self::assertSame(['The lock '.self::KEY.' was lost before its section ended: its lease is 10 s.'], (array) $warnings);
    }

    public function test_a_release_that_fails_is_reported_and_the_result_kept(): void
    {
        $reported = null;
        $this->app->make(ExceptionHandler::class)->reportable(function (RedisLockException $e) use (&$reported) {
            $reported = $e;

            return false;
        });

        $result = Cache::lock('SKU0001', 10)->get(function () {
            $this->redis->cmd('ACL', 'SETUSER', 'default', '-@scripting');

            return 'committed';
        });
        $this->redis->cmd('ACL', 'SETUSER', 'default', '+@all');

        self::assertSame('committed', $result);
        self::assertInstanceOf(RedisLockException::class, $reported);
    }

    public function test_a_slow_one_is_logged_as_the_configuration_says(): void
    {
        config(['redislock.slow_hold' => 0.01]);
        $log = tempnam(sys_get_temp_dir(), 'slow');
        $before = ini_set('error_log', $log);

        Cache::lock('SKU0001', 10)->get(fn () => usleep(20_000));
        ini_set('error_log', $before);

        self::assertMatchesRegularExpression('/redislock: slow: the lock "app:cache:SKU0001" was held for 0.0\d+ s by /', file_get_contents($log));
        unlink($log);
    }

    public function test_the_metrics_count_it_by_its_name_without_the_prefixes(): void
    {
        $acquired = fn () => RedisLock::metrics()['process']['groups']['invoices']['acquired'] ?? 0;
        $before = $acquired();

        Cache::lock('invoices:2026', 10)->get(fn () => null);

        self::assertSame(1, $acquired() - $before);
    }

    public function test_a_listener_of_the_container_hears_of_the_locks_of_the_store_and_of_the_class(): void
    {
        $heard = new ArrayObject();
        $app = $this->boot(['redislock.listener' => 'locks.heard']);
        $app->bind('locks.heard', fn () => fn (string $event, string $name) => $heard[] = "$event $name");

        Cache::lock('SKU0001', 10)->get(fn () => null);
        RedisLockFacade::synchronized('SKU0002', fn () => null);

        self::assertSame(['acquired '.self::KEY, 'released '.self::KEY, 'acquired SKU0002', 'released SKU0002'], (array) $heard);
    }

    public function test_a_logger_of_the_container_may_be_the_listener(): void
    {
        $logged = [];
        $app = $this->boot(['redislock.listener' => 'log']);
        $app['events']->listen(MessageLogged::class, function (MessageLogged $message) use (&$logged) {
            $logged[] = [$message->level, $message->message, $message->context['name']];
        });

        Cache::lock('SKU0001', 10)->get(fn () => null);

        self::assertSame([
            ['debug', 'The lock {name} was acquired', self::KEY],
            ['debug', 'The lock {name} was released', self::KEY],
        ], $logged);
    }

    public function test_a_section_may_release_by_itself(): void
    {
        $warnings = $this->warnings();
        $lock = Cache::lock('SKU0001', 10);

        self::assertTrue($lock->get(fn () => $lock->release()));
        self::assertSame([], (array) $warnings);
    }
}
