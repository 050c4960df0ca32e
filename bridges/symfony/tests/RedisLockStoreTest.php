<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Log\AbstractLogger;
use RedisLock;
use RedisLockConnectionException;
use RedisLockServerException;
use Redislock\Symfony\RedisLockStore;
use RedisServer;
use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\Exception\InvalidTtlException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Exception\LockExpiredException;
use Symfony\Component\Lock\Exception\LockStorageException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Store\CombinedStore;
use Symfony\Component\Lock\Strategy\ConsensusStrategy;

/** What a store promises. */
class RedisLockStoreTest extends ServerTestCase
{
    public function testALockIsAKeyWithOurTokenAndALease(): void
    {
        $store = $this->store(20.0);
        $key = new Key('SKU0001');

        self::assertFalse($store->exists($key));
        $store->save($key);
        self::assertTrue($store->exists($key));
        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}:[r-][0-9a-f]{11}:/', $this->redis->cmd('GET', 'lock:SKU0001'));
        self::assertEqualsWithDelta(20_000, $this->lease('SKU0001'), 10_000);

        $store->delete($key);
        self::assertFalse($store->exists($key));
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    public function testAnotherKeyOfTheSameResourceConflicts(): void
    {
        $store = $this->store();
        $first = new Key('SKU0001');
        $second = new Key('SKU0001');
        $store->save($first);

        try {
            $store->save($second);
            self::fail('the second key has it too');
        } catch (LockConflictedException) {
        }
        self::assertTrue($store->exists($first));
        self::assertFalse($store->exists($second));

        $store->delete($second);
        self::assertTrue($store->exists($first), 'only the owner releases');

        $store->delete($first);
        $store->save($second);
        self::assertTrue($store->exists($second));
        self::assertFalse($store->exists($first));
    }

    public function testResourcesDoNotTouchEachOther(): void
    {
        $store = $this->store();
        $first = new Key('SKU0001');
        $second = new Key('SKU0002');
        $store->save($first);
        $store->save($second);
        $store->delete($first);

        self::assertFalse($store->exists($first));
        self::assertTrue($store->exists($second));
    }

    public function testSavingTwiceBeginsTheLeaseAnew(): void
    {
        $store = $this->store(60.0);
        $key = new Key('SKU0001');
        $store->save($key);
        $token = $this->redis->cmd('GET', 'lock:SKU0001');
        $this->redis->cmd('PEXPIRE', 'lock:SKU0001', 5_000);
        $store->save($key);

        self::assertSame($token, $this->redis->cmd('GET', 'lock:SKU0001'));
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));
    }

    public function testSavingAgainAfterALossTakesItAnew(): void
    {
        $store = $this->store();
        $key = new Key('SKU0001');
        $store->save($key);
        $lost = $this->redis->cmd('GET', 'lock:SKU0001');
        $this->redis->cmd('DEL', 'lock:SKU0001');
        $store->save($key);

        self::assertTrue($store->exists($key));
        self::assertNotSame($lost, $this->redis->cmd('GET', 'lock:SKU0001'));
    }

    public function testTheLeaseCanBePutOff(): void
    {
        $store = $this->store(5.0);
        $key = new Key('SKU0001');
        $store->save($key);
        self::assertLessThanOrEqual(5.0, $key->getRemainingLifetime());

        $key->resetLifetime();
        $store->putOffExpiration($key, 60.0);
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));
        self::assertLessThanOrEqual(60.0, $key->getRemainingLifetime());
        self::assertGreaterThan(30.0, $key->getRemainingLifetime());
    }

    public function testALostLockCannotBePutOff(): void
    {
        $store = $this->store();
        $lost = new Key('SKU0001');
        $store->save($lost);
        $this->redis->cmd('SET', 'lock:SKU0001', 'of somebody else');

        $this->expectException(LockConflictedException::class);
        $store->putOffExpiration($lost, 60.0);
    }

    public function testALostLockIsNotThere(): void
    {
        $store = $this->store();
        $store->save($key = new Key('SKU0001'));
        $this->redis->cmd('DEL', 'lock:SKU0001');
        self::assertFalse($store->exists($key));
        $this->redis->cmd('SET', 'lock:SKU0001', 'of somebody else');
        self::assertFalse($store->exists($key));
    }

    /** Lock::release() asks whether the lock is still there: a round trip that nobody needs. */
    public function testAfterItsReleaseNothingIsAsked(): void
    {
        $store = $this->store();
        $store->save($key = new Key('SKU0001'));
        $store->delete($key);
        $before = request_calls($this->redis);
        self::assertFalse($store->exists($key));
        $store->delete($key);
        self::assertSame($before, request_calls($this->redis));
    }

    public function testALockThatWasNeverHadCannotBePutOff(): void
    {
        $this->expectException(LockConflictedException::class);
        $this->store()->putOffExpiration(new Key('SKU0001'), 60.0);
    }

    public function testALeaseThatEndedMeanwhileIsTold(): void
    {
        $key = new Key('SKU0001');
        $key->reduceLifetime(0);
        try {
            $this->store()->save($key);
            self::fail('saved with no time left');
        } catch (LockExpiredException) {
        }
        self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'), 'and nobody is locked out by it');
    }

    public function testALeaseAndAWaitMayBeAsLongAsOneLikes(): void
    {
        $store = $this->store(initialTtl: 1e12, timeout: 1e12);
        $key = new Key('SKU0001');
        $store->waitAndSave($key);
        self::assertEqualsWithDelta(1e12, $this->lease('SKU0001'), 5_000);

        $store->putOffExpiration($key, 20.0);
        self::assertEqualsWithDelta(20_000, $this->lease('SKU0001'), 5_000);
        $store->putOffExpiration($key, 2e9);
        self::assertEqualsWithDelta(1e12, $this->lease('SKU0001'), 5_000);
        $store->delete($key);
    }

    public function testALeaseCanBeWithoutEnd(): void
    {
        $store = $this->store(INF);
        $key = new Key('SKU0001');
        $store->save($key);

        self::assertSame(-1, $this->lease('SKU0001'));
        self::assertFalse($key->isExpired());
        self::assertNull($key->getRemainingLifetime());
    }

    /** As Symfony's LockKeyNormalizer does it, to hand it to another process. */
    public function testAKeyOfALeaseWithoutEndCanBeEncoded(): void
    {
        foreach ([[$this->store(INF), INF], [$this->store(INF), 20.0], [$this->store(20.0), INF]] as [$store, $ttl]) {
            $store->save($key = new Key('SKU0001'));
            $key->resetLifetime();
            $store->putOffExpiration($key, $ttl);
            self::assertSame($ttl === INF, $key->getRemainingLifetime() === null);

            self::assertStringContainsString('SKU0001', json_encode($key->__serialize(), JSON_THROW_ON_ERROR));
            $store->delete($key);
            self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'));
        }
    }

    #[DataProvider('tooShort')]
    public function testAnInitialLeaseThatIsTooShortIsRefused(float $ttl): void
    {
        $this->expectException(InvalidTtlException::class);
        $this->expectExceptionMessage('at least 0.01 seconds');
        $this->store($ttl);
    }

    /** @return iterable<string, array{float}> */
    public static function tooShort(): iterable
    {
        yield 'none' => [0.0];
        yield 'negative' => [-1.0];
        yield 'a millisecond' => [0.001];
        yield 'no number' => [NAN];
    }

    #[DataProvider('over')]
    public function testALeaseShorterThanRedisCanKeepIsOver(float $ttl): void
    {
        $store = $this->store();
        $store->save($key = new Key('SKU0001'));
        try {
            $store->putOffExpiration($key, $ttl);
            self::fail('it is believed to be held');
        } catch (LockExpiredException) {
        }
        self::assertTrue($key->isExpired());
        self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'), 'and nobody is locked out by it');
    }

    /** @return iterable<string, array{float}> */
    public static function over(): iterable
    {
        yield 'a microsecond' => [0.000_001];
        yield 'a millisecond' => [0.001];
        yield 'almost enough' => [0.009_9];
    }

    #[DataProvider('noTtl')]
    public function testWhatIsNoTtlChangesNothing(float $ttl): void
    {
        $store = $this->store();
        $store->save($key = new Key('SKU0001'));
        try {
            $store->putOffExpiration($key, $ttl);
            self::fail('taken');
        } catch (InvalidTtlException) {
        }
        self::assertGreaterThan(30_000, $this->lease('SKU0001'));
    }

    /** @return iterable<string, array{float}> */
    public static function noTtl(): iterable
    {
        yield 'none' => [0.0];
        yield 'negative' => [-1.0];
        yield 'no number' => [NAN];
    }

    #[DataProvider('noTimeout')]
    public function testATimeoutThatIsNoneIsRefused(float $timeout): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('at least 0 seconds');
        $this->store(timeout: $timeout);
    }

    /** @return iterable<string, array{float}> */
    public static function noTimeout(): iterable
    {
        yield 'negative' => [-0.1];
        yield 'no number' => [NAN];
    }

    public function testAKeyCanBeReleasedWhereItWasNotTaken(): void
    {
        $key = new Key('SKU0001');
        $this->store()->save($key);

        $elsewhere = unserialize(serialize($key));
        $store = $this->store();
        self::assertTrue($store->exists($elsewhere));
        $store->delete($elsewhere);
        self::assertSame(0, $this->redis->cmd('EXISTS', 'lock:SKU0001'));
    }

    public function testTheStoreHoldsNothingItself(): void
    {
        $lock = new RedisLock(self::$server->dsn());
        $store = new RedisLockStore($lock);
        $store->save($key = new Key('SKU0001'));
        self::assertSame([], $lock->held());

        unset($store, $lock);
        self::assertTrue($this->store()->exists($key), 'the RedisLock object took nothing with it');
    }

    public function testALossIsLoggedWhenItIsReleased(): void
    {
        $logger = new class () extends AbstractLogger {
            /** @var string[] */
            public array $lines = [];

            public function log($level, string|\Stringable $message, array $context = []): void
            {
                $this->lines[] = "$level: " . strtr((string) $message, ['{resource}' => $context['resource']]);
            }
        };
        $store = new RedisLockStore(new RedisLock(self::$server->dsn()), logger: $logger);
        $store->save($kept = new Key('kept'));
        $store->save($lost = new Key('lost'));
        $this->redis->cmd('DEL', 'lock:lost');
        $store->delete($kept);
        $store->delete($lost);
        $store->delete(new Key('never had'));

        self::assertSame(['warning: The lease of the "lost" lock had ended before it was released.'], $logger->lines);
    }

    public function testAServerThatIsDownIsNoConflict(): void
    {
        $store = new RedisLockStore(new RedisLock('unix:///nonexistent/redis.sock'));
        $held = new Key('SKU0001');
        $held->setState(RedisLockStore::class, 'rl:' . str_repeat('0', 32));

        foreach (['save', 'waitAndSave', 'delete', 'exists'] as $method) {
            try {
                $store->$method($held);
                self::fail("$method() says nothing");
            } catch (LockStorageException $e) {
                self::assertInstanceOf(RedisLockConnectionException::class, $e->getPrevious());
                self::assertStringContainsString('unix:///nonexistent/redis.sock', $e->getMessage());
            }
        }
        $this->expectException(LockStorageException::class);
        $store->putOffExpiration($held, 1.0);
    }

    public function testAServerThatRefusesIsNoConflict(): void
    {
        $this->redis->cmd('REPLICAOF', '127.0.0.1', '1');
        try {
            $this->store()->save(new Key('SKU0001'));
            self::fail('a replica cannot lock');
        } catch (LockStorageException $e) {
            $cause = $e->getPrevious();
            self::assertInstanceOf(RedisLockServerException::class, $cause);
            self::assertSame('READONLY', $cause->redisError);
        } finally {
            $this->redis->cmd('REPLICAOF', 'NO', 'ONE');
        }
    }

    /** @return array{RedisServer, RedisServer} */
    private static function twoMore(): array
    {
        return [RedisServer::start(), RedisServer::start()];
    }

    public function testStoresWithIdsOfTheirOwnCanBeCombined(): void
    {
        $servers = [self::$server, ...self::twoMore()];
        $clients = array_map(fn ($server) => $server->client(), $servers);
        $stores = array_map(fn ($i) => new RedisLockStore(new RedisLock($servers[$i]->dsn()), id: "node$i"), [0, 1, 2]);
        $combined = new CombinedStore($stores, new ConsensusStrategy());
        $exist = fn () => array_map(fn ($client) => $client->cmd('EXISTS', 'lock:SKU0001'), $clients);

        $combined->save($key = new Key('SKU0001'));
        self::assertSame([1, 1, 1], $exist());
        $combined->putOffExpiration($key, 30.0);
        $servers[2]->pause();
        $servers[2]->kill();
        self::assertTrue($combined->exists($key), 'two of three are a majority');

        $combined->delete($key);
        self::assertSame([0, 0], array_map(fn ($client) => $client->cmd('EXISTS', 'lock:SKU0001'), array_slice($clients, 0, 2)));
    }
}
