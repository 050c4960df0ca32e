<?php

namespace Redislock\Laravel\Tests;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\Attributes\Group;
use RedisLock as Extension;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Testing\FakeRedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockHeldException;
use RedisLockLostException;
use RedisLockTimeoutException;
use ReflectionClass;
use ReflectionMethod;

#[Group('extension')]
class FakeTest extends TestCase
{
    public function test_it_stands_everywhere_for_the_lock_and_reaches_no_server(): void
    {
        $fake = RedisLock::fake();

        self::assertTrue(RedisLock::lock('SKU0001'));
        self::assertSame($fake, $this->app->make(Extension::class));
        $this->app->forgetScopedInstances();
        self::assertSame($fake, $this->app->make(Extension::class));
        self::assertInstanceOf(Extension::class, $fake);
        self::assertSame([], all_keys($this->redis));
    }

    public function test_it_behaves_as_the_lock_does(): void
    {
        $fake = RedisLock::fake();
        $fake->assertNothingLocked();

        self::assertTrue($fake->lock('SKU0001'));
        self::assertFalse($fake->lock('SKU0001'));
        self::assertTrue($fake->isLocking('SKU0001'));
        self::assertSame(['SKU0001'], array_keys($fake->held()));
        self::assertSame($fake->token('SKU0001'), $fake->owner('SKU0001'));
        self::assertSame(['owner' => null, 'since' => null, 'lease' => INF, 'renewed' => null, 'waiters' => 0], $fake->holder('SKU0001'));
        self::assertNull($fake->holder('SKU0002'));
        $token = $fake->detach('SKU0001');
        self::assertFalse($fake->isLocking('SKU0001'));
        self::assertFalse($fake->lock('SKU0001'), 'it is not released');
        self::assertTrue($fake->attach('SKU0001', $token));
        self::assertTrue($fake->expire('SKU0001', 5));
        self::assertTrue($fake->unlock('SKU0001'));
        self::assertFalse($fake->unlock('SKU0001'));
        self::assertTrue($fake->lockAll(['SKU0004', 'SKU0005']));
        self::assertFalse($fake->lockAll(['SKU0006', 'SKU0005']));
        $fake->assertNotLocked('SKU0006');
        self::assertTrue($fake->unlockAll());
        self::assertSame('result', $fake->synchronized('SKU0002', fn () => 'result'));

        $fake->assertLocked('SKU0001');
        $fake->assertLocked('SKU0002');
        $fake->assertNotLocked('SKU0003');
        $fake->assertNothingHeld();
        $fake->lock('SKU0003');
        $this->expectException(AssertionFailedError::class);
        $fake->assertNothingHeld();
    }

    public function test_it_remembers(): void
    {
        $fake = RedisLock::fake();

        self::assertSame([null, null], [$fake->remember('report', fn () => null, 60), $fake->remember('report', fn () => 'again', 60)]);
        self::assertSame([true, false], [$fake->forget('report'), $fake->forget('report')]);
        self::assertSame('again', $fake->remember('report', fn () => 'again', 60));
        self::assertSame(['there', 'built'], [$fake->once('price', fn () => 'there', self::fail(...)), $fake->once('price', fn () => null, fn () => 'built')]);
        $fake->assertNothingHeld();

        $this->expectException(RedisLockTimeoutException::class);
        $fake->heldElsewhere('stock')->remember('stock', self::fail(...), 60);
    }

    public function test_somebody_else_may_hold_it(): void
    {
        $fake = RedisLock::fake()->heldElsewhere('SKU0001');

        self::assertFalse(RedisLock::lock('SKU0001', timeout: 3));
        try {
            RedisLock::synchronized('SKU0001', fn () => self::fail('nobody gets in'));
            self::fail('no exception');
        } catch (RedisLockTimeoutException $e) {
            self::assertSame('SKU0001', $e->lockName);
        }
        $fake->freed('SKU0001');
        self::assertTrue(RedisLock::lock('SKU0001'));
    }

    public function test_it_may_be_lost_in_its_section(): void
    {
        $fake = RedisLock::fake();
        try {
            RedisLock::synchronized('SKU0001', function () use ($fake) {
                $fake->heldElsewhere('SKU0001');

                return 'committed';
            });
            self::fail('no exception');
        } catch (RedisLockLostException $e) {
            self::assertSame(['SKU0001', 'committed'], [$e->lockName, $e->result]);
        }
    }

    public function test_unlock_all_tells_of_a_lock_that_was_lost(): void
    {
        $fake = RedisLock::fake();
        $fake->lockAll(['SKU0001', 'SKU0002']);
        $fake->heldElsewhere('SKU0001');

        self::assertFalse($fake->unlockAll());
        self::assertNull($fake->token('SKU0002'), 'the other one was released');
        self::assertNotNull($fake->owner('SKU0001'), 'and what is not ours was not');
        self::assertTrue($fake->unlockAll(), 'that was told');
    }

    public function test_what_was_told_to_be_lost_does_not_count_again(): void
    {
        $fake = RedisLock::fake();
        $fake->lock('SKU0001');
        $fake->heldElsewhere('SKU0001', 'SKU0002');

        self::assertFalse($fake->unlock('SKU0001'));
        self::assertTrue($fake->unlockAll());
        $fake->freed('SKU0001')->lock('SKU0001');
        self::assertTrue($fake->unlockAll());
    }

    public function test_it_does_not_wait_for_itself(): void
    {
        RedisLock::fake();
        try {
            RedisLock::synchronized('SKU0001', fn () => RedisLock::synchronized('SKU0001', self::fail(...)));
            self::fail('no exception');
        } catch (RedisLockHeldException $e) {
            self::assertSame('SKU0001', $e->lockName);
        }
    }

    public function test_it_leaves_no_method_to_the_extension(): void
    {
        $facade = (new ReflectionClass(RedisLock::class))->getDocComment();
        foreach ((new ReflectionClass(Extension::class))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
            if (! $method->isStatic()) { // who adds one to the extension adds it to the fake, and to the facade's comment
                self::assertStringContainsString(" {$method->name}(", $method->name === '__construct' ? ' __construct(' : $facade);
                self::assertSame(FakeRedisLock::class, (new ReflectionMethod(FakeRedisLock::class, $method->name))->class, $method->name);
            }
        }
    }
}
