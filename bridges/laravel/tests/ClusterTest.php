<?php

namespace Redislock\Laravel\Tests;

use Cluster;
use Closure;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Redis as RedisFacade;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use RawClient;
use Redis;
use RedisCluster;
use Redislock\Laravel\About;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;

/** Laravel's client and the extension come to the same key of a Redis Cluster. */
#[Group('extension')]
class ClusterTest extends TestCase
{
    private static Cluster $cluster;

    public static function setUpBeforeClass(): void
    {
        self::$cluster = Cluster::start(password: 'sécret');
    }

    public static function tearDownAfterClass(): void
    {
        foreach (self::$cluster->nodes as $node) {
            $node->stop();
        }
    }

    protected function setUp(): void
    {
        parent::setUp();
        foreach (self::$cluster->nodes as $node) {
            $redis = $node->client();
            if ($redis->cmd('ROLE')[0] === 'master') {
                $redis->cmd('FLUSHALL');
            }
        }
    }

    /** @param Closure(): array<string, mixed> $redis of database.redis */
    #[DataProvider('clients')]
    public function test_ours_and_laravels_own_exclude_each_other(Closure $redis, string $prefix): void
    {
        $this->use($redis());
        foreach (['SKU0001', 'SKU0002', '{stock}:SKU0003'] as $name) {
            foreach ([['redislock', 'laravel'], ['laravel', 'redislock']] as [$one, $other]) {
                $lock = Cache::store($one)->lock($name, 10);
                self::assertTrue($lock->get());
                self::assertSame(["{$prefix}cache:$name"], $this->keys(), $one);
                self::assertFalse(Cache::store($other)->lock($name, 10)->get(), "$other is kept out by $one");
                self::assertTrue(Cache::store($other)->lock($name)->isOwnedBy($lock->owner()));
                self::assertTrue(Cache::store($other)->restoreLock($name, $lock->owner())->release());
                self::assertFalse($lock->release());
            }
        }
        self::assertSame([], $this->keys());
    }

    public static function clients(): array
    {
        $ports = fn () => array_map(fn ($node) => self::$cluster->portOf($node), self::$cluster->nodes);
        $hosts = fn (array $more = []) => array_map(fn ($port) => ['host' => '127.0.0.1', 'port' => $port] + $more, $ports());
        $phpredis = fn (array $options = []) => fn () => [
            'client' => 'phpredis', 'clusters' => ['locks' => $hosts(), 'options' => ['password' => 'sécret'] + $options],
        ];
        $predis = fn (array $options = []) => fn () => [
            'client' => 'predis', 'clusters' => ['locks' => $hosts(), 'options' => ['parameters' => ['password' => 'sécret']] + $options],
        ];

        return [
            'phpredis' => [$phpredis(), 'app:'],
            'phpredis with a prefix' => [$phpredis(['prefix' => 'own:']), 'own:'],
            'phpredis with a tag in the prefix' => [$phpredis(['prefix' => '{shop}:']), '{shop}:'],
            'phpredis, serializing' => [$phpredis(['serializer' => Redis::SERIALIZER_PHP]), 'app:'],
            'phpredis that reads from replicas' => [$phpredis(['failover' => RedisCluster::FAILOVER_DISTRIBUTE]), 'app:'],
            'predis' => [$predis(), 'app:'],
            'predis with a tag in the prefix' => [$predis(['prefix' => '{shop}:']), '{shop}:'],
            'predis, a list as a connection' => [fn () => ['client' => 'predis', 'locks' => [
                ...array_map(fn ($port) => "redis://:sécret@127.0.0.1:$port", $ports()),
                'options' => ['cluster' => 'redis', 'parameters' => ['password' => 'sécret']],
            ]], 'app:'],
        ];
    }

    public function test_tls(): void
    {
        $cluster = Cluster::start(replicas: 0, tls: true);
        $nodes = array_map(fn ($node) => ['host' => '127.0.0.1', 'port' => $cluster->portOf($node)], $cluster->nodes);
        $context = $cluster->options['tls'];
        foreach ([
            ['client' => 'phpredis', 'clusters' => ['locks' => $nodes, 'options' => ['context' => $context]]],
            ['client' => 'predis', 'clusters' => ['locks' => $nodes, 'options' => ['parameters' => ['scheme' => 'tls', 'ssl' => $context]]]],
        ] as $redis) {
            $this->app = $this->boot();
            $this->use($redis);
            $lock = Cache::store('redislock')->lock('SKU0001', 10);
            self::assertTrue($lock->get());
            self::assertFalse(Cache::store('laravel')->lock('SKU0001', 10)->get());
            self::assertTrue($lock->release());
            self::assertTrue(Cache::store('laravel')->lock('SKU0001', 10)->get());
            self::assertFalse(Cache::store('redislock')->lock('SKU0001', 10)->get());
            Cache::store('laravel')->lock('SKU0001')->forceRelease();
        }
    }

    public function test_a_prefix_that_the_open_client_was_told_is_followed(): void
    {
        $this->use(self::clients()['phpredis'][0]());
        RedisFacade::connection('locks')->client()->setOption(Redis::OPT_PREFIX, '{tenant}:');

        self::assertTrue(Cache::store('redislock')->lock('SKU0001', 10)->get());
        self::assertSame(['{tenant}:cache:SKU0001'], $this->keys());
    }

    public function test_the_class_locks_there_and_about_says_so(): void
    {
        $this->use(self::clients()['phpredis'][0]() + ['options' => ['prefix' => 'app:']]);
        config(['redislock.connection' => 'locks', 'redislock.replicas' => 1]);

        self::assertSame(1, RedisLock::synchronized('SKU0001', fn () => count($this->keys()), 10));
        $line = $this->app->make(About::class)->lines()['RedisLock'];
        self::assertStringStartsWith('redis-cluster://127.0.0.1:', $line);
        self::assertStringNotContainsString('cret', $line);
    }

    public function test_a_lock_can_be_had_through_a_planned_failover(): void
    {
        $this->use(self::clients()['phpredis'][0]());
        $lock = Cache::store('redislock')->lock('SKU0001', 60);
        self::assertTrue($lock->get());
        $old = self::$cluster->ownerOf('app:cache:SKU0001');

        self::$cluster->failover(self::$cluster->replicasOf($old)[0]);

        self::assertNotSame($old, self::$cluster->ownerOf('app:cache:SKU0001'));
        self::assertFalse(Cache::store('redislock')->lock('SKU0001', 60)->get(), 'nothing is lost');
        self::assertTrue($lock->release());
        self::assertTrue(Cache::store('redislock')->lock('SKU0001', 60)->block(20));
    }

    /** @param array<string, mixed> $redis */
    private function use(array $redis): void
    {
        config([
            'database.redis' => $redis + ['options' => ['cluster' => 'redis', 'prefix' => 'app:']],
            'cache.stores' => [
                'laravel' => ['driver' => 'redis', 'connection' => 'locks'],
                'redislock' => ['driver' => 'redislock', 'connection' => 'locks'],
            ],
        ]);
    }

    /** @return list<string> of all masters */
    private function keys(): array
    {
        $masters = array_filter(array_map(fn ($node) => $node->client(), self::$cluster->nodes), fn (RawClient $redis) => $redis->cmd('ROLE')[0] === 'master');

        return array_merge(...array_map(all_keys(...), array_values($masters)));
    }
}
