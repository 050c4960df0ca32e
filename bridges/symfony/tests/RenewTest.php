<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use RedisLock;
use Redislock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;

/** Leases that are renewed for as long as the Key is there. */
final class RenewTest extends ServerTestCase
{
    private RedisLock $lock;

    private function renewing(float $initialTtl = 2.0, float $maxHold = 3600.0): RedisLockStore
    {
        $this->lock = new RedisLock(self::$server->dsn(), ['auto_release' => false, 'max_hold' => $maxHold]);

        return new RedisLockStore($this->lock, $initialTtl, renew: true);
    }

    private function assertRenewed(string $token): void
    {
        usleep(4_100_000); // two leases
        self::assertSame($token, $this->redis->cmd('GET', 'lock:SKU0001'));
    }

    private function assertItEnds(): void
    {
        for ($until = microtime(true) + 20; $this->redis->cmd('EXISTS', 'lock:SKU0001') === 1; usleep(2_000)) {
            self::assertLessThan($until, microtime(true), 'the lease does not end');
        }
    }

    public function testTheLeaseIsRenewedUntilTheRelease(): void
    {
        $store = $this->renewing();
        $store->save($key = new Key('SKU0001'));
        self::assertNull($key->getRemainingLifetime(), 'nobody tells the Key of each renewal');
        $this->assertRenewed($this->redis->cmd('GET', 'lock:SKU0001'));
        self::assertTrue($store->exists($key));

        $store->delete($key);
        self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'));
        self::assertSame([], $this->lock->held());
    }

    public function testTheComponentsLockSetsTheLeaseThatIsRenewed(): void
    {
        $lock = (new LockFactory($this->renewing(300.0)))->createLock('SKU0001', 2.0);
        self::assertTrue($lock->acquire(true));
        self::assertLessThanOrEqual(2000, $this->lease('SKU0001'));
        $this->assertRenewed($this->redis->cmd('GET', 'lock:SKU0001'));
        self::assertTrue($lock->isAcquired());
        self::assertFalse($lock->isExpired());

        $lock->refresh(60.0);
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));
        $lock->refresh(2.0);
        $this->assertRenewed($this->redis->cmd('GET', 'lock:SKU0001'));
        $lock->release();
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    public function testAKeyThatIsGoneIsRenewedNoMore(): void
    {
        $store = $this->renewing();
        $lock = (new LockFactory($store))->createLock('SKU0001', 2.0, autoRelease: false);
        self::assertTrue($lock->acquire());
        $this->assertRenewed($this->redis->cmd('GET', 'lock:SKU0001'));

        unset($lock);
        self::assertSame([], $this->lock->held());
        self::assertSame(1, $this->redis->cmd('EXISTS', 'lock:SKU0001'), 'but it is not released');
        $this->assertItEnds();
    }

    public function testAKeyThatCameFromElsewhereIsNotRenewed(): void
    {
        $store = $this->renewing(20.0);
        $store->save($key = new Key('SKU0001'));
        $elsewhere = unserialize(serialize($key));
        unset($key);
        self::assertSame([], $this->lock->held());

        $store = $this->renewing(20.0);
        $store->putOffExpiration($elsewhere, 0.3);
        self::assertLessThanOrEqual(0.3, $elsewhere->getRemainingLifetime());
        self::assertSame([], $this->lock->held());
        $this->assertItEnds();
    }

    public function testAnotherKeyOfTheSameStoreConflictsAtOnce(): void
    {
        $store = $this->renewing(20.0);
        $store->save($first = new Key('SKU0001'));
        foreach (['save', 'waitAndSave'] as $method) {
            try {
                $store->$method(new Key('SKU0001'));
                self::fail('the second key has it too');
            } catch (LockConflictedException) {
            }
        }
        self::assertTrue($store->exists($first));
    }

    public function testALockThatWasLostIsAnotherKeys(): void
    {
        $store = $this->renewing();
        $store->save($lost = new Key('SKU0001'));
        $this->redis->cmd('DEL', 'lock:SKU0001');
        for ($until = microtime(true) + 20; $this->lock->remaining('SKU0001') > 0; usleep(2_000)) {
            self::assertLessThan($until, microtime(true), 'no renewal notices it');
        }
        $store->save($key = new Key('SKU0001'));
        $token = $this->redis->cmd('GET', 'lock:SKU0001');
        self::assertFalse($store->exists($lost));

        $store->delete($lost);
        $this->assertRenewed($token);
        try {
            $store->putOffExpiration($lost, 5.0);
            self::fail('it is not there');
        } catch (LockConflictedException) {
        }
        unset($lost);
        $this->assertRenewed($token);
        $store->delete($key);
    }

    public function testItIsRenewedForNoLongerThanTheLockSays(): void
    {
        $store = $this->renewing(1.0, 1.2);
        set_error_handler(function (int $type, string $text) use (&$warning): bool {
            $warning = $text;

            return true;
        });
        try {
            $store->save($key = new Key('SKU0001'));
            $this->assertItEnds();
        } finally {
            restore_error_handler();
        }
        self::assertFalse($store->exists($key));
        self::assertStringContainsString('held for longer than max_hold (1.2 s)', $warning ?? '');
    }

    public function testALeaseWithoutEndCannotBeRenewed(): void
    {
        $this->expectException(InvalidTtlException::class);
        $this->expectExceptionMessage('must have an end');
        $this->renewing(INF);
    }

    public function testTheSettingsOfTheRedisLockChangeNothing(): void
    {
        $lock = new RedisLock(self::$server->dsn(), ['renew' => true]);
        $store = new RedisLockStore($lock, INF);
        $store->save($key = new Key('SKU0001'));
        self::assertSame([], $lock->held());
        self::assertSame(-1, $this->lease('SKU0001'));
        $store->delete($key);
    }
}
