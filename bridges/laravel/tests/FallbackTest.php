<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Cache\RedisLock as LaravelsOwn;
use Illuminate\Support\Facades\Cache;
use LogicException;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;

/** Without the extension. */
#[Group('bare')]
class FallbackTest extends TestCase
{
    public function test_the_store_uses_laravels_own_lock_and_says_so_once(): void
    {
        $this->forgetWarnings();
        $warnings = $this->warnings();

        $lock = Cache::lock('SKU0001', 10);
        self::assertTrue($lock->get());
        self::assertFalse(Cache::lock('SKU0001', 10)->get());

        self::assertCount(1, $warnings);
        self::assertStringContainsString('redislock is not loaded', $warnings[0]);
        self::assertInstanceOf(LaravelsOwn::class, $lock);
        self::assertSame($lock->owner(), $this->redis->cmd('GET', 'app:cache:SKU0001'), 'on the same key');
    }

    public function test_a_fraction_of_a_second_is_not_without_end(): void
    {
        self::assertTrue(Cache::lock('SKU0001', 0.5)->get());
        self::assertTrue(Cache::lock('SKU0002', 1.5)->get());
        self::assertTrue(Cache::lock('SKU0003', '3')->get());
        self::assertTrue(Cache::lock('SKU0004', 0)->get());

        $left = fn (int $i) => $this->redis->cmd('PTTL', "app:cache:SKU000$i");
        self::assertThat($left(1), self::logicalAnd(self::greaterThan(0), self::lessThanOrEqual(1_000)));
        self::assertThat($left(2), self::logicalAnd(self::greaterThan(1_000), self::lessThanOrEqual(2_000)));
        self::assertThat($left(3), self::logicalAnd(self::greaterThan(2_000), self::lessThanOrEqual(3_000)));
        self::assertSame(-1, $left(4), 'none is without end');
    }

    public function test_it_throws_if_that_is_not_wanted(): void
    {
        config(['redislock.fallback' => false]);

        $this->expectException(LogicException::class);
        $this->expectExceptionMessage('the cache store [redislock] needs it');
        Cache::store('redislock');
    }

    public function test_it_throws_if_leases_are_to_be_renewed(): void
    {
        config(['cache.stores.renewing' => ['renew' => true] + config('cache.stores.redislock')]);
        try {
            Cache::store('renewing');
            self::fail("Laravel's own lock renews none");
        } catch (LogicException $e) {
            self::assertStringContainsString('needs it', $e->getMessage());
        }

        config(['redislock.renew' => true]);
        $this->expectException(LogicException::class);
        Cache::store('redislock');
    }

    public function test_the_class_has_no_fallback(): void
    {
        $this->expectException(LogicException::class);
        $this->expectExceptionMessage('RedisLock needs it');
        RedisLock::lock('SKU0001');
    }

    public function test_nor_has_the_fake(): void
    {
        $this->expectException(LogicException::class);
        RedisLock::fake();
    }
}
