<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use Cluster;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Predis\Client;
use RawClient;
use Redislock\Symfony\StoreFactory;
use SentinelSet;
use Symfony\Component\Cache\Adapter\RedisAdapter;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\RedisStore;

/** With one DSN, Symfony's own store and ours come to the same key of a cluster, or of the master that Sentinel names. */
final class SentinelAndClusterTest extends TestCase
{
    /** @param class-string $client by which Symfony's own store asks */
    #[DataProvider('clientsOfClusters')]
    public function testBothComeToTheSameKeyOfACluster(string $client): void
    {
        $cluster = Cluster::start(password: 'secret');
        $dsn = 'redis:secret@?redis_cluster=1' . self::hosts(array_map(fn ($node) => $cluster->portOf($node), $cluster->nodes));
        $masters = fn () => array_filter(array_map(fn ($node) => $node->client(), $cluster->nodes), fn (RawClient $redis) => $redis->cmd('ROLE')[0] === 'master');
        $keys = fn () => array_merge(...array_map(fn (RawClient $redis) => $redis->cmd('KEYS', '*'), array_values($masters())));

        foreach (['SKU0001', 'SKU0002', '{stock}:SKU0003'] as $name) {
            self::assertBothKindsExcludeEachOther($client, $dsn, $name, $keys);
        }
        $cluster->failover($cluster->replicasOf($cluster->ownerOf('SKU0001'))[0]);
        self::assertBothKindsExcludeEachOther($client, $dsn, 'SKU0001', $keys);
    }

    /** @param class-string $client by which Symfony's own store asks */
    #[DataProvider('clientsOfMasters')]
    public function testBothComeToTheSameKeyOfAMaster(string $client): void
    {
        $set = SentinelSet::start(password: 'secret', sentinelPassword: 'watch');
        $dsn = 'redis::secret@?redis_sentinel=' . SentinelSet::NAME . '&auth=watch&dbindex=2'
            . self::hosts(array_map(fn ($sentinel) => $sentinel->port, $set->sentinels));
        $keys = function () use ($set): array {
            $redis = $set->master()->client();
            $redis->cmd('SELECT', 2);

            return $redis->cmd('KEYS', '*');
        };

        self::assertBothKindsExcludeEachOther($client, $dsn, 'SKU0001', $keys);
        $lock = (new LockFactory(self::ours($dsn)))->createLock('SKU0002', 60.0);
        self::assertTrue($lock->acquire());
        $set->failover();
        self::assertTrue($lock->isAcquired(), 'nothing is lost');
        $lock->release();
        self::assertBothKindsExcludeEachOther($client, $dsn, 'SKU0001', $keys);
    }

    /** @return iterable<string, array{class-string}> */
    public static function clientsOfClusters(): iterable
    {
        yield 'Predis' => [Client::class];
        yield 'phpredis' => [\RedisCluster::class];
    }

    /** @return iterable<string, array{class-string}> */
    public static function clientsOfMasters(): iterable
    {
        yield 'Predis' => [Client::class];
        yield 'phpredis' => [\Redis::class];
    }

    #[DataProvider('schemes')]
    public function testTls(string $scheme): void
    {
        $cluster = Cluster::start(replicas: 0, tls: true);
        $dsn = "$scheme:?redis_cluster=1&ssl[cafile]=" . rawurlencode($cluster->options['tls']['cafile'])
            . self::hosts(array_map(fn ($node) => $cluster->portOf($node), $cluster->nodes));

        self::assertTrue((new LockFactory(self::ours($dsn)))->createLock('SKU0001', 20.0)->acquire());
    }

    /** @return iterable<string, array{string}> */
    public static function schemes(): iterable
    {
        yield 'Redis' => ['rediss'];
        yield 'Valkey' => ['valkeys'];
    }

    /**
     * @param class-string $client by which Symfony's own store asks
     * @param \Closure(): list<string> $keys that there are
     */
    private static function assertBothKindsExcludeEachOther(string $client, string $dsn, string $name, \Closure $keys): void
    {
        $theirs = new RedisStore(RedisAdapter::createConnection($dsn, ['class' => $client]));
        foreach ([[self::ours($dsn), $theirs], [$theirs, self::ours($dsn)]] as [$one, $other]) {
            $lock = (new LockFactory($one))->createLock($name, 20.0);
            self::assertTrue($lock->acquire());
            self::assertContains($name, $keys());
            self::assertFalse((new LockFactory($other))->createLock($name, 20.0)->acquire());
            $lock->release();
            self::assertNotContains($name, $keys());
        }
    }

    private static function ours(string $dsn): PersistingStoreInterface
    {
        return StoreFactory::createStore("redislock+$dsn&prefix=&timeout=20");
    }

    /** @param list<int> $ports */
    private static function hosts(array $ports): string
    {
        return implode(array_map(fn ($port) => "&host[127.0.0.1:$port]", $ports));
    }
}
