<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Redislock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Exception\LockAcquiringException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Exception\LockExpiredException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Worker;

/** What an application does: locks of a LockFactory. */
class LockTest extends ServerTestCase
{
    private function factory(?RedisLockStore $store = null): LockFactory
    {
        return new LockFactory($store ?? $this->store());
    }

    public function testALockIsTakenExtendedAndReleased(): void
    {
        $lock = $this->factory()->createLock('SKU0001', 20.0);

        self::assertTrue($lock->acquire());
        self::assertTrue($lock->isAcquired());
        self::assertEqualsWithDelta(20_000, $this->lease('SKU0001'), 10_000);
        self::assertLessThanOrEqual(20.0, $lock->getRemainingLifetime());

        $lock->refresh(60.0);
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));

        $lock->release();
        self::assertFalse($lock->isAcquired());
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    public function testTheSecondIsRefused(): void
    {
        $factory = $this->factory();
        $first = $factory->createLock('SKU0001');
        $second = $factory->createLock('SKU0001');

        self::assertTrue($first->acquire());
        self::assertFalse($second->acquire());
        self::assertFalse($second->isAcquired());
        $first->release();
        self::assertTrue($second->acquire());
        $second->release();
    }

    public function testItIsReleasedWithItsObject(): void
    {
        $lock = $this->factory()->createLock('SKU0001');
        $lock->acquire();
        unset($lock);
        self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'));

        $lock = $this->factory()->createLock('SKU0001', autoRelease: false);
        $lock->acquire();
        unset($lock);
        self::assertSame(1, $this->redis->cmd('EXISTS', 'lock:SKU0001'));
    }

    public function testItCanBeTakenAgainAfterItsRelease(): void
    {
        $lock = $this->factory()->createLock('SKU0001');
        $tokens = [];
        for ($i = 0; $i < 3; $i++) {
            self::assertTrue($lock->acquire());
            $tokens[] = $this->redis->cmd('GET', 'lock:SKU0001');
            $lock->release();
        }
        self::assertCount(3, array_unique($tokens), 'each time with a token of its own');
    }

    public function testTakingAndReleasingAreARoundTripEach(): void
    {
        $factory = $this->factory($this->store(20.0));
        foreach ([[20.0, 2], [30.0, 3], [null, 2]] as [$ttl, $expected]) {
            $fewest = INF;
            for ($try = 0; $try < 5; $try++) { // a machine that is busy in between costs the third
                $lock = $factory->createLock('SKU0001', $ttl);
                $before = $this->reads();
                $lock->acquire();
                self::assertLessThanOrEqual($ttl ?? 20.0, $lock->getRemainingLifetime());
                self::assertGreaterThan(10.0, $lock->getRemainingLifetime());
                self::assertGreaterThan(10_000, $this->lease('SKU0001'));
                $lock->release();
                $fewest = min($fewest, $this->reads() - $before - 2); // the lease's, and its own
            }
            self::assertSame($expected, $fewest, "TTL $ttl");
        }
    }

    /** How often the server read a request: one that was sent in one piece counts once, whatever command it is. */
    private function reads(): int
    {
        return (int) server_info($this->redis, 'stats')['total_reads_processed'];
    }

    /** A refresh later on is one, also with the initial TTL. */
    public function testALaterRefreshIsSent(): void
    {
        $lock = $this->factory($this->store(20.0))->createLock('SKU0001', 20.0);
        $lock->acquire();
        $this->redis->cmd('PEXPIRE', 'lock:SKU0001', 5_000);
        $lock->refresh();
        self::assertGreaterThan(10_000, $this->lease('SKU0001'));
    }

    public function testWhoWaitsIsWokenByTheRelease(): void
    {
        $holder = $this->factory()->createLock('SKU0001', 60.0);
        $holder->acquire();

        $worker = Worker::start(
            'require $argv[1];
            $store = new Redislock\Symfony\RedisLockStore(new RedisLock($argv[2]));
            $lock = (new Symfony\Component\Lock\LockFactory($store))->createLock("SKU0001", 60.0);
            echo "waits\n";
            $lock->acquire(true);
            echo "served\n";
            fgets(STDIN);
            $lock->release();
            echo "released\n";',
            [dirname(__DIR__) . '/vendor/autoload.php', self::$server->dsn()],
        );
        self::assertSame('waits', $worker->readLine());
        $waiters = new \RedisLock(self::$server->dsn());
        self::assertTrue(self::becomes(fn () => $waiters->waiters('SKU0001') === 1), 'it waits in the server');

        $holder->release();
        self::assertSame('served', $worker->readLine());
        self::assertFalse($this->factory()->createLock('SKU0001')->acquire(), 'now it is the waiter\'s');

        $worker->tell('go on');
        self::assertSame('released', $worker->readLine());
        self::assertTrue($this->factory()->createLock('SKU0001')->acquire());
    }

    public function testWaitingEndsWithTheStoresTimeout(): void
    {
        $this->factory()->createLock('SKU0001', autoRelease: false)->acquire();
        $lock = $this->factory($this->store(timeout: 0.2))->createLock('SKU0001');
        $began = microtime(true);
        try {
            $lock->acquire(true);
            self::fail('it was had');
        } catch (LockConflictedException) {
        }
        self::assertEqualsWithDelta(0.2, microtime(true) - $began, 1.0);
        self::assertGreaterThanOrEqual(0.199, microtime(true) - $began);
    }

    /** Its lease runs from when it was had: a wait longer than the lease must not spend it. */
    public function testALongWaitDoesNotSpendTheLease(): void
    {
        $store = $this->store(0.5);
        foreach (['fresh' => new Key('SKU0001'), 'lost' => new Key('SKU0001')] as $what => $key) {
            if ($what === 'lost') {
                $store->save($key);
                $this->redis->cmd('DEL', 'lock:SKU0001');
            }
            $this->redis->cmd('SET', 'lock:SKU0001', 'rl:' . str_repeat('0', 32), 'PX', 700);
            $lock = (new LockFactory($store))->createLockFromKey($key, null);
            self::assertTrue($lock->acquire(true), $what);
            self::assertGreaterThan(0.2, $lock->getRemainingLifetime(), $what);
            $lock->release();
        }
    }

    public function testReadLocksAreWriteLocks(): void
    {
        $factory = $this->factory();
        $first = $factory->createLock('SKU0001');
        $second = $factory->createLock('SKU0001');

        self::assertTrue($first->acquireRead());
        self::assertFalse($second->acquireRead());
        $first->release();
    }

    public function testAServerThatIsDownIsAnException(): void
    {
        $lock = $this->factory(new RedisLockStore(new \RedisLock('unix:///nonexistent/redis.sock')))->createLock('SKU0001');
        try {
            $lock->acquire();
            self::fail('acquire() says false or true');
        } catch (LockAcquiringException $e) {
            self::assertInstanceOf(\RedisLockConnectionException::class, $e->getPrevious()?->getPrevious());
        }
    }

    #[DataProvider('refused')]
    public function testANameThatIsRefusedIsTheComponentsException(string $name, string $why): void
    {
        foreach ([false, true] as $blocking) {
            try {
                $this->factory()->createLock($name)->acquire($blocking);
                self::fail('acquire() says false or true');
            } catch (LockAcquiringException $e) {
                self::assertStringContainsString($why, $e->getPrevious()->getMessage());
            }
        }
        self::assertFalse($this->factory()->createLock($name)->isAcquired());
    }

    /** @return iterable<string, array{string, string}> */
    public static function refused(): iterable
    {
        yield 'empty' => ['', 'must not be empty'];
        yield 'too long' => [str_repeat('x', 65536), '65535'];
        yield 'reserved' => ['SKU0001:rl:wait', 'must not end in'];
    }

    /** What Lock::refresh() makes of the store's LockExpiredException. */
    public function testATtlThatIsOverAtOnceIsNotHeld(): void
    {
        $lock = $this->factory()->createLock('SKU0001', 20.0);
        $lock->acquire();
        try {
            $lock->refresh(0.005);
            self::fail('it is believed to be held');
        } catch (LockAcquiringException $e) {
            self::assertInstanceOf(LockExpiredException::class, $e->getPrevious());
        }
        self::assertFalse($lock->isAcquired());
        self::assertTrue($this->factory()->createLock('SKU0001')->acquire());
    }

    private static function becomes(callable $holds): bool
    {
        for ($until = microtime(true) + 30; !$holds() && microtime(true) < $until; usleep(1000));
        return $holds();
    }
}
