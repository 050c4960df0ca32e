<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use Redislock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Exception\LockStorageException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\CombinedStore;
use Symfony\Component\Lock\Strategy\UnanimousStrategy;
use Worker;

/** Where the RedisLock holds the locks, it is asked for an owner token only when somebody needs it. */
final class LeaseTest extends ServerTestCase
{
    private ObservedRedisLock $lock;

    private function holding(float $initialTtl = 20.0, float $timeout = INF, bool $renew = false): RedisLockStore
    {
        $this->lock = new ObservedRedisLock(self::$server->dsn(), ['auto_release' => false]);

        return new RedisLockStore($this->lock, $initialTtl, $timeout, renew: $renew, holds: true);
    }

    private function tokenInRedis(): ?string
    {
        return $this->redis->cmd('GET', 'lock:SKU0001');
    }

    private function assertConflict(callable $asked): void
    {
        try {
            $asked();
            self::fail('no conflict');
        } catch (LockConflictedException) {
        }
    }

    public function testALockIsTakenAndReleasedWithoutItsToken(): void
    {
        foreach ([false, true] as $renew) {
            $store = $this->holding(renew: $renew);
            $store->save($key = new Key('SKU0001'));
            $store->putOffExpiration($key, 30.0);
            $store->save($key);
            self::assertTrue($store->exists($key));
            $store->delete($key);
            self::assertFalse($store->exists($key));

            $lock = (new LockFactory($store))->createLock('SKU0001', 10.0);
            self::assertTrue($lock->acquire(true));
            $lock->refresh();
            self::assertTrue($lock->isAcquired());
            unset($lock);
            self::assertNull($this->tokenInRedis());

            $lock = (new LockFactory($store))->createLock('SKU0001', 10.0, autoRelease: false);
            $lock->acquire();
            unset($lock, $key);
            self::assertSame(['detach'], $this->lock->shown, 'the last one was not released');
            self::assertSame([], $this->lock->held());
            $this->redis->cmd('FLUSHALL');
        }
    }

    public function testALockThatWasLostIsSeenWithoutItsToken(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        $this->redis->cmd('SET', 'lock:SKU0001', 'of somebody else');

        self::assertFalse($store->exists($key));
        $this->assertConflict(fn () => $store->putOffExpiration($key, 30.0));
        $store->delete($key);
        self::assertSame('of somebody else', $this->tokenInRedis());
        self::assertSame([], $this->lock->shown);
    }

    public function testAKeyIsSerialisedWithItsToken(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        $elsewhere = unserialize(serialize($key));
        self::assertStringContainsString($this->tokenInRedis(), serialize($key));
        self::assertStringContainsString($this->tokenInRedis(), json_encode($key->__serialize(), JSON_THROW_ON_ERROR));
        self::assertSame([], $this->lock->held(), 'either of them may release it');

        self::assertTrue($store->exists($key));
        $store->putOffExpiration($key, 30.0);
        self::assertGreaterThan(20_000, $this->lease('SKU0001'));
        $other = $this->holding();
        self::assertTrue($other->exists($elsewhere));
        $other->putOffExpiration($elsewhere, 40.0);
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));
        $other->delete($elsewhere);
        self::assertNull($this->tokenInRedis());
        self::assertFalse($store->exists($key));
    }

    /** As Symfony's LockKeyNormalizer hands it to another process. */
    public function testAKeyMayComeBackFromJson(): void
    {
        $this->holding()->save($key = new Key('SKU0001'));
        $elsewhere = new Key('SKU0001');
        foreach (json_decode(json_encode($key->__serialize(), JSON_THROW_ON_ERROR), true)['state'] as $name => $state) {
            $elsewhere->setState($name, $state);
        }

        $store = $this->holding();
        self::assertTrue($store->exists($elsewhere));
        $store->delete($elsewhere);
        self::assertNull($this->tokenInRedis());
    }

    public function testAKeyThatIsRenewedStaysSoWhenItIsSerialised(): void
    {
        $store = $this->holding(renew: true);
        $store->save($key = new Key('SKU0001'));
        self::assertStringContainsString($this->tokenInRedis(), serialize($key));

        self::assertSame(['SKU0001'], array_keys($this->lock->held()));
        self::assertNull($key->getRemainingLifetime());
        $store->delete($key);
        self::assertNull($this->tokenInRedis());
    }

    public function testAKeyThatWasLostAndIsSerialisedHasNoLock(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        $this->redis->cmd('DEL', 'lock:SKU0001');
        self::assertFalse($store->exists($key));
        $elsewhere = unserialize(serialize($key));
        $this->holding()->save($new = new Key('SKU0001'));

        $other = $this->holding();
        self::assertFalse($other->exists($elsewhere));
        $other->delete($elsewhere);
        $store->delete($key);
        self::assertNotNull($this->tokenInRedis());
    }

    public function testAnotherKeyWaitsForTheFirst(): void
    {
        $store = $this->holding();
        $store->save($first = new Key('SKU0001'));
        $this->assertConflict(fn () => $store->save(new Key('SKU0001')));
        self::assertTrue($store->exists($first));
        self::assertSame(['token', 'detach'], array_values(array_unique(array_diff($this->lock->shown, ['owner']))));

        $store->putOffExpiration($first, 0.3);
        $store->waitAndSave($second = new Key('SKU0001'));
        self::assertTrue($store->exists($second));
        self::assertFalse($store->exists($first));
        $store->delete($first);
        self::assertTrue($store->exists($second), 'it is not the first key\'s to release');
    }

    public function testAFiberThatAskedInVainMayReleaseTheFirst(): void
    {
        foreach ([false, true] as $renew) {
            $store = $this->holding(renew: $renew);
            $store->save($key = new Key('SKU0001'));
            (new \Fiber(function () use ($store, $key): void {
                $this->assertConflict(fn () => $store->save(new Key('SKU0001')));
                $store->delete($key);
            }))->start();
            self::assertNull($this->tokenInRedis());
        }
    }

    public function testALockThatWasLostIsAnotherKeys(): void
    {
        $store = $this->holding();
        $store->save($first = new Key('SKU0001'));
        $this->redis->cmd('DEL', 'lock:SKU0001');
        self::assertFalse($store->exists($first));
        $store->save($second = new Key('SKU0001'));

        self::assertFalse($store->exists($first));
        $this->assertConflict(fn () => $store->putOffExpiration($first, 30.0));
        $store->delete($first);
        unset($first);
        self::assertTrue($store->exists($second));
        self::assertSame(['SKU0001'], array_keys($this->lock->held()));
    }

    public function testAStoreTakesTheKeyOfAnother(): void
    {
        $this->holding()->save($key = new Key('SKU0001'));
        $store = $this->holding();
        self::assertTrue($store->exists($key));
        $store->putOffExpiration($key, 30.0);
        self::assertGreaterThan(20_000, $this->lease('SKU0001'));
        $store->delete($key);
        self::assertNull($this->tokenInRedis());
    }

    public function testAKeyAndItsCloneHaveOneLock(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        $clone = clone $key;
        unset($key);
        self::assertTrue($store->exists($clone));
        $key = clone $clone;
        $store->delete($clone);
        self::assertNull($this->tokenInRedis());
        self::assertFalse($store->exists($key));

        $store->save($other = new Key('SKU0001'));
        $store->delete($key);
        self::assertTrue($store->exists($other));
    }

    public function testAReleaseThatFailedIsTriedAgain(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        $this->redis->cmd('ACL', 'SETUSER', 'default', '-@scripting');
        try {
            $store->delete($key);
            self::fail('it is refused');
        } catch (LockStorageException) {
        } finally {
            $this->redis->cmd('ACL', 'SETUSER', 'default', '+@all');
        }
        self::assertNotNull($this->tokenInRedis());
        $store->delete($key);
        self::assertNull($this->tokenInRedis());
    }

    public function testStoresOfACombinedStoreHoldALockEach(): void
    {
        $stores = [];
        foreach (['a', 'b'] as $id) {
            $lock = new ObservedRedisLock(self::$server->dsn(), ['prefix' => "$id:", 'auto_release' => false]);
            $stores[] = new RedisLockStore($lock, id: $id, holds: true);
        }
        $combined = new CombinedStore($stores, new UnanimousStrategy());
        $combined->save($key = new Key('SKU0001'));
        self::assertSame(2, $this->redis->cmd('EXISTS', 'a:SKU0001', 'b:SKU0001'));

        $elsewhere = unserialize(serialize($key));
        self::assertTrue($combined->exists($elsewhere));
        $combined->delete($elsewhere);
        self::assertSame(0, $this->redis->cmd('EXISTS', 'a:SKU0001', 'b:SKU0001'));
    }

    public function testAnyNameIsHeld(): void
    {
        $store = $this->holding();
        foreach (['0', '17', '-1', "\0*\0held", 'a b'] as $name) {
            $store->save($key = new Key($name));
            self::assertSame([$name], array_map(strval(...), array_keys($this->lock->held())));
            $store->delete($key);
            self::assertSame(0, $this->redis->cmd('EXISTS', "lock:$name"));
        }
    }

    public function testTheTokenStaysOutOfDumps(): void
    {
        $store = $this->holding();
        $store->save($key = new Key('SKU0001'));
        ob_start();
        var_dump($key);
        self::assertStringNotContainsString('rl:', ob_get_clean());
        serialize($key);
        self::assertStringNotContainsString('rl:', print_r($key, true));
    }

    public function testAWorkerThatLivesLongKeepsNothing(): void
    {
        $store = $this->holding();
        $factory = new LockFactory($store);
        $round = function (int $i) use ($factory, $store): void {
            $factory->createLock("released$i")->acquire();
            $factory->createLock("left$i", autoRelease: false)->acquire();
            $store->save($first = new Key("twice$i"));
            $this->assertConflict(fn () => $store->save(new Key("twice$i")));
            serialize($first);
        };
        for ($i = 0; $i < 100; $i++) {
            $round($i);
        }
        $this->lock->shown = [];
        $before = memory_get_usage();
        for ($i = 100; $i < 600; $i++) {
            $round($i);
            $this->lock->shown = [];
        }
        self::assertLessThan(20_000, memory_get_usage() - $before);
        self::assertSame([], $this->lock->held());
    }

    /** As with the RedisLock itself; unless the Key was serialised before. */
    public function testAChildProcessDoesNotHaveItsParentsLock(): void
    {
        $worker = Worker::start(
            'require $argv[1];
            $store = new Redislock\Symfony\RedisLockStore(new RedisLock($argv[2], ["auto_release" => false]), holds: true);
            $store->save($key = new Symfony\Component\Lock\Key("SKU0001"));
            $say = fn (string $who) => print $who . ($store->exists($key) ? " has it\n" : " does not have it\n");
            foreach (["a child", "a second one"] as $child) {
                if (pcntl_fork() === 0) {
                    $say($child);
                    exit;
                }
                pcntl_wait($status);
                $say("the parent");
                serialize($key);
            }',
            [dirname(__DIR__) . '/vendor/autoload.php', self::$server->dsn()],
        );
        self::assertSame('a child does not have it', $worker->readLine());
        self::assertSame('the parent has it', $worker->readLine());
        self::assertSame('a second one has it', $worker->readLine());
        self::assertSame('the parent has it', $worker->readLine());
    }
}
