<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockServerException;
use RedisLockTimeoutException;
use ValueError;

/** What Laravel's own Redis lock takes, ours takes too, but for what the README's table of differences has. */
#[Group('extension')]
class InputTest extends TestCase
{
    private const KEY = 'app:cache:SKU0001';

    protected function config(): array
    {
        return ['cache.stores.redis' => ['driver' => 'redis', 'connection' => 'cache', 'lock_connection' => 'default']];
    }

    #[DataProvider('leases')]
    public function test_a_lease_is_brought_into_range(int|float $seconds, int $milliseconds): void
    {
        self::assertTrue(Cache::lock('SKU0001', $seconds)->get());
        self::assertEqualsWithDelta($milliseconds, $this->redis->cmd('PTTL', self::KEY), 5_000);
    }

    #[DataProvider('leases')]
    public function test_so_is_that_of_refresh(int|float $seconds, int $milliseconds): void
    {
        $lock = Cache::lock('SKU0001', 100);
        $lock->get();

        self::assertTrue($lock->refresh($seconds));
        self::assertEqualsWithDelta($milliseconds, $this->redis->cmd('PTTL', self::KEY), 5_000);
    }

    public static function leases(): array
    {
        return [
            'long' => [2_000_000_000, 1_000_000_000_000],
            'longer' => [1e15, 1_000_000_000_000],
            'negative, without end' => [-1, -1],
            'infinite' => [INF, -1],
        ];
    }

    public function test_a_lease_too_short_to_hold_is_one_that_ends_at_once(): void
    {
        try {
            Cache::lock('SKU0001', 0.001)->get();
        } catch (RedisLockTimeoutException $e) {
            self::assertStringContainsString('after the end of the lease', $e->getMessage(), 'as on a busy machine');
        }
        self::assertTrue(Cache::lock('SKU0001', 100)->block(10), 'it has an end');
    }

    public function test_a_wait_may_be_as_long_as_one_likes(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 10)->block(PHP_INT_MAX));
        self::assertTrue(Cache::lock('SKU0002', 10)->betweenBlockedAttemptsSleepFor(PHP_INT_MAX)->block(1));
    }

    #[DataProvider('refused')]
    public function test_what_is_refused_is_refused_before_anything_is_sent(string $key, ?string $owner): void
    {
        self::assertTrue(Cache::store('redis')->lock($key, 10, $owner)->get(), "Laravel's own takes it");
        Cache::store('redis')->lock($key)->forceRelease();

        $lock = Cache::lock($key, 10, $owner);
        foreach ([$lock->get(...), fn () => $lock->block(1), fn () => $lock->get(fn () => self::fail('it ran'))] as $call) {
            try {
                $call();
                self::fail('it was not refused');
            } catch (ValueError $e) {
                self::assertStringContainsString('must not', $e->getMessage());
            }
        }
        self::assertSame([], all_keys($this->redis));
    }

    public static function refused(): array
    {
        return [
            'a long key' => [str_repeat('k', 65_536 - strlen('app:cache:')), null],
            'a long owner' => ['SKU0001', str_repeat('o', 65_536)],
            'an owner that would be a hand-over' => ['SKU0001', 'rl:baton:1'],
            'a key beside a lock' => ['SKU0001:rl:wait', null],
        ];
    }

    public function test_the_longest_key_and_owner(): void
    {
        $lock = Cache::lock(str_repeat('k', 65_535 - strlen('app:cache:')), 10, str_repeat('o', 65_535));

        self::assertTrue($lock->get());
        self::assertTrue($lock->release());
    }

    public function test_a_key_that_holds_something_else(): void
    {
        $this->redis->cmd('RPUSH', self::KEY, 'a');
        self::assertFalse(Cache::store('redis')->lock('SKU0001')->isOwnedBy('me'));
        self::assertFalse(Cache::lock('SKU0001', 10)->get());

        foreach ([fn () => Cache::lock('SKU0001')->isOwnedBy('me'), fn () => Cache::lock('SKU0001')->forceRelease()] as $call) {
            try {
                $call();
                self::fail('it was not refused');
            } catch (RedisLockServerException $e) {
                self::assertSame('WRONGTYPE', $e->redisError);
            }
        }
        self::assertSame(1, $this->redis->cmd('EXISTS', self::KEY));
        Cache::store('redis')->lock('SKU0001')->forceRelease();
        self::assertSame(0, $this->redis->cmd('EXISTS', self::KEY));
    }
}
