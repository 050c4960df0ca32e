<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use RedisLockLostException;
use Redislock\Symfony\RedisLockStore;
use Redislock\Symfony\StoreFactory;
use RedisServer;
use SentinelSet;
use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;

/** Which store a DSN says. */
final class StoreFactoryTest extends ServerTestCase
{
    private static function saved(string $dsn): Key
    {
        $store = StoreFactory::createStore($dsn);
        self::assertInstanceOf(RedisLockStore::class, $store);
        $store->save($key = new Key('SKU0001'));

        return $key;
    }

    public function testItIsAServersAddressBehindRedislock(): void
    {
        self::saved('redislock+' . self::$server->dsn());
        self::assertSame(['lock:SKU0001'], $this->redis->cmd('KEYS', '*'));
    }

    public function testItsShortFormIsARedisOverTcp(): void
    {
        $server = RedisServer::start(tcp: true, password: 'secret');
        $long = $server->tcpDsn(':secret', database: 3);
        self::saved('redislock' . substr($long, strlen('redis')));
        $client = $server->client();
        $client->cmd('SELECT', 3);
        self::assertSame(['lock:SKU0001'], $client->cmd('KEYS', '*'));
    }

    #[DataProvider('spellings')]
    public function testTheSchemeMayBeSpeltDifferently(string $before): void
    {
        $server = RedisServer::start(tcp: true, password: 'secret');
        self::saved($before . substr($server->tcpDsn(':secret'), strlen('redis')));
        self::assertSame(['lock:SKU0001'], $server->client()->cmd('KEYS', '*'));
    }

    /** @return iterable<string, array{string}> */
    public static function spellings(): iterable
    {
        foreach (['redislock+valkey', 'redislock+Redis', 'Redislock+VALKEY', 'REDISLOCK'] as $before) {
            yield $before => [$before];
        }
    }

    public function testItMayBeTheServerThatSentinelNames(): void
    {
        $set = SentinelSet::start(sentinelPassword: 'at-sentinels');
        self::saved('redislock+' . $set->dsn(3) . '?sentinel_password=at-sentinels&initial_ttl=20');
        self::saved('Redislock+Valkey' . substr($set->dsn(4), strlen('redis')) . '?sentinel_password=at-sentinels&sentinel_tls=off');
        foreach ([3, 4] as $database) {
            $client = $set->master()->client();
            $client->cmd('SELECT', $database);
            self::assertSame(['lock:SKU0001'], $client->cmd('KEYS', '*'));
        }
    }

    public function testItsRedisLockHoldsTheLocksAndTellsOfALoss(): void
    {
        $store = StoreFactory::createStore('redislock+' . self::$server->dsn() . '?initial_ttl=1&on_loss=throw');
        $store->save($released = new Key('SKU0001'));
        $store->delete($released);
        $store->save(new Key('SKU0002'));
        usleep(1_200_000); // of locks that were released or left, nothing is told

        $this->expectException(RedisLockLostException::class);
        $store->save($key = new Key('SKU0003'));
        for ($until = microtime(true) + 20; microtime(true) < $until; usleep(2_000));
        self::fail('nothing was told');
    }

    /** As environment variables that are empty make it. */
    public function testAnEmptyLoginIsNone(): void
    {
        $server = RedisServer::start(tcp: true);
        self::saved('redislock://:@' . substr($server->tcpDsn(), strlen('redis://')) . '?username=&password=&database=');
        self::assertSame(['lock:SKU0001'], $server->client()->cmd('KEYS', '*'));
    }

    #[DataProvider('databases')]
    public function testTheDatabaseOfASocket(string $query): void
    {
        self::saved('redislock+' . self::$server->dsn() . $query);
        $this->redis->cmd('SELECT', 2);
        self::assertSame(['lock:SKU0001'], $this->redis->cmd('KEYS', '*'));
        $this->redis->cmd('SELECT', 0);
    }

    /** @return iterable<string, array{string}> */
    public static function databases(): iterable
    {
        yield 'as an address has it' => ['?db=2'];
        yield 'as an option' => ['?database=2'];
        yield 'beside others' => ['?connect_timeout=5&db=2'];
    }

    public function testOptionsAreThoseOfTheStoreAndOfRedisLock(): void
    {
        $dsn = 'redislock+' . self::$server->dsn() . '?prefix=1&initial_ttl=20&timeout=0.2&persistent=off&retry_interval=0.05';
        $key = self::saved($dsn);
        self::assertEqualsWithDelta(20_000, $this->redis->cmd('PTTL', '1SKU0001'), 10_000);
        self::assertLessThanOrEqual(20.0, $key->getRemainingLifetime());

        $began = microtime(true);
        try {
            (new LockFactory(StoreFactory::createStore($dsn)))->createLock('SKU0001')->acquire(true);
            self::fail('it was had');
        } catch (LockConflictedException) {
        }
        self::assertGreaterThanOrEqual(0.199, microtime(true) - $began);
    }

    public function testALeaseCanBeWithoutEnd(): void
    {
        self::saved('redislock+' . self::$server->dsn() . '?initial_ttl=INF&timeout=INF');
        self::assertSame(-1, $this->lease('SKU0001'));
    }

    public function testLeasesAreRenewedIfItSaysSo(): void
    {
        $dsn = 'redislock+' . self::$server->dsn() . '?renew=1&max_hold=INF&initial_ttl=2.0';
        $lock = (new LockFactory(StoreFactory::createStore($dsn)))->createLock('SKU0001', 2.0);
        self::assertTrue($lock->acquire());
        usleep(4_100_000);
        self::assertTrue($lock->isAcquired());
        $lock->release();

        self::assertTrue($lock->acquire());
        unset($lock);
        self::assertSame([], $this->redis->cmd('KEYS', '*'));

        $store = StoreFactory::createStore(str_replace('renew=1', 'renew=off', $dsn));
        $store->save($key = new Key('SKU0001'));
        self::assertNotNull($key->getRemainingLifetime());
    }

    public function testWhatIsRenewedIsReleasedByTheComponentAlone(): void
    {
        $store = StoreFactory::createStore('redislock+' . self::$server->dsn() . '?renew=1&initial_ttl=20');
        $lock = (new LockFactory($store))->createLock('SKU0001', 20.0, autoRelease: false);
        self::assertTrue($lock->acquire());
        unset($store, $lock);

        self::assertSame(1, $this->redis->cmd('EXISTS', 'lock:SKU0001'));
    }

    public function testTlsCanBeConfigured(): void
    {
        $this->expectException(InvalidArgumentException::class);
        $this->expectExceptionMessage('option "tls" has an unknown "ciphers"');
        StoreFactory::createStore('redislock+rediss://localhost?tls[verify_peer]=false&tls[cafile]=/ca.pem&tls[ciphers]=x');
    }

    #[DataProvider('mistakes')]
    public function testAMistakeIsToldWithoutTheSecret(string $dsn, string $message): void
    {
        try {
            StoreFactory::createStore($dsn);
            self::fail('taken');
        } catch (InvalidArgumentException $e) {
            self::assertStringContainsString($message, $e->getMessage());
            self::assertStringNotContainsString('secret', $e->getMessage());
        }
    }

    /** @return iterable<string, array{string, string}> */
    public static function mistakes(): iterable
    {
        yield 'a port' => ['redislock://user:secret@localhost:123456', 'port'];
        yield 'a scheme' => ['redislock+http://user:secret@localhost', 'the scheme must be redis'];
        yield 'an option' => ['redislock://:secret@localhost?wait=5', 'option "wait" is unknown'];
        yield 'no master' => ['redislock+redis-sentinel://:secret@localhost', 'the name of the master is missing'];
        yield 'no sentinels' => ['redislock://localhost?sentinel_password=secret', 'need a server that Sentinel names'];
        yield 'a time' => ['redislock://:secret@localhost?timeout=long', '"timeout" of a redislock DSN must be a number of seconds'];
        yield 'several times' => ['redislock://:secret@localhost?timeout[]=1', '"timeout" of a redislock DSN must be a number of seconds'];
        yield 'a timeout' => ['redislock://:secret@localhost?timeout=-1', 'A timeout of at least 0 seconds'];
        yield 'a TTL' => ['redislock://:secret@localhost?initial_ttl=0', 'An initial TTL of at least 0.01 seconds'];
        yield 'a bool' => ['redislock://:secret@localhost?persistent=perhaps', 'option "persistent" must be true or false'];
        yield 'no bool' => ['redislock://:secret@localhost?renew=perhaps', '"renew" of a redislock DSN must be true or false'];
        yield 'no end' => ['redislock://:secret@localhost?renew=1&initial_ttl=INF', 'A lease that is renewed must have an end'];
        yield 'a time of holding' => ['redislock://:secret@localhost?max_hold=long', 'option "max_hold" must be'];
        yield 'a lease' => ['redislock://:secret@localhost?expire=10', '"expire" has no effect'];
        yield 'nobody\'s' => ['redislocks://:secret@localhost', 'No lock store supports'];
    }
}
