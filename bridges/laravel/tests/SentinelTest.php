<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Redis\Connectors\PhpRedisConnector;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Redis as RedisFacade;
use InvalidArgumentException;
use PHPUnit\Framework\Attributes\Group;
use Redis;
use Redislock\Laravel\About;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockConnectionException;
use RedisLockServerException;
use SentinelSet;
use ValueError;

/** Laravel's client and the extension come to the same key of the master that Sentinel names. */
#[Group('extension')]
class SentinelTest extends TestCase
{
    private SentinelSet $set;

    protected function tearDown(): void
    {
        parent::tearDown(); // which may release locks
        unset($this->set);
    }

    public function test_ours_and_that_of_predis_exclude_each_other(): void
    {
        $this->start(password: 'sécret', sentinelPassword: 'watch');
        $this->use(['client' => 'predis', 'options' => ['prefix' => 'app:'], 'locks' => [
            ...array_map(fn ($sentinel) => "tcp://127.0.0.1:{$sentinel->port}?password=watch", $this->set->sentinels),
            'options' => ['replication' => 'sentinel', 'service' => SentinelSet::NAME, 'parameters' => ['password' => 'sécret', 'database' => 2]],
        ]]);

        $this->assertBothKindsExcludeEachOther('app:cache:SKU0001', 2);
        self::assertSame(
            'redis-sentinel://'.implode(',', array_map(fn ($sentinel) => "127.0.0.1:{$sentinel->port}", $this->set->sentinels)).'/mymaster/2',
            $this->app->make(About::class)->lines()['Locks of the cache store redislock'],
        );
    }

    public function test_so_they_do_after_a_failover(): void
    {
        $this->start();
        $this->use(['client' => 'predis', 'locks' => [
            ...array_map(fn ($sentinel) => "tcp://127.0.0.1:{$sentinel->port}", $this->set->sentinels),
            'options' => ['replication' => 'sentinel', 'service' => SentinelSet::NAME],
        ]]);
        $lock = Cache::store('redislock')->lock('SKU0001', 60);
        self::assertTrue($lock->get());
        $old = $this->set->master();

        self::assertNotSame($old, $this->set->failover());

        self::assertFalse(Cache::store('redislock')->lock('SKU0001', 60)->get(), 'nothing is lost');
        self::assertTrue($lock->release());
        $this->assertBothKindsExcludeEachOther('cache:SKU0001');
    }

    /** A client that is no concern of the extension's: it alone knows what it does with a key. */
    public function test_a_store_may_name_the_server_for_a_client_of_another_package(): void
    {
        $this->start(sentinelPassword: 'watch');
        $this->use(
            ['client' => 'phpredis-sentinel', 'options' => ['prefix' => 'app:'], 'locks' => ['prefix' => 'own:', 'serializer' => 1]],
            ['server' => $this->set->dsn(1)],
        );
        config(['redislock.sentinel_password' => 'watch', 'redislock.replicas' => 1]);
        $master = ['host' => '127.0.0.1', 'port' => $this->set->master()->port(), 'database' => 1];
        $this->app->make('redis')->extend('phpredis-sentinel', fn () => new class($master) extends PhpRedisConnector
        {
            public function __construct(private readonly array $master)
            {
            }

            protected function createClient(array $config)
            {
                return parent::createClient($this->master + $config);
            }
        });

        $this->assertBothKindsExcludeEachOther('own:cache:SKU0001', 1);
        self::assertStringEndsWith('/mymaster/1', $this->app->make(About::class)->lines()['Locks of the cache store redislock']);
    }

    public function test_a_store_with_a_server_has_the_keys_of_its_connection(): void
    {
        $this->start();
        $this->use(['client' => 'phpredis', 'options' => ['prefix' => 'app:'], 'locks' => ['host' => 'nobody', 'port' => 1]], ['server' => $this->set->dsn()]);

        self::assertTrue(Cache::store('redislock')->lock('SKU0001', 10)->get());
        self::assertSame(['app:cache:SKU0001'], all_keys($this->set->master()->client()));
    }

    public function test_its_database_is_that_of_the_server_also_when_the_client_is_open(): void
    {
        $this->start();
        $this->use(['client' => 'phpredis', 'locks' => ['host' => '127.0.0.1', 'port' => self::server()->port(), 'database' => 5]], ['server' => $this->set->dsn(1)]);
        RedisFacade::connection('locks')->client()->setOption(Redis::OPT_PREFIX, 'tenant:');

        self::assertTrue(Cache::store('redislock')->lock('SKU0001', 10)->get());
        $redis = $this->set->master()->client();
        $redis->cmd('SELECT', 1);
        self::assertSame(['tenant:cache:SKU0001'], all_keys($redis));
    }

    public function test_so_many_replicas_must_have_a_lock(): void
    {
        $this->start();
        $this->use(['client' => 'phpredis', 'locks' => ['host' => 'nobody', 'port' => 1]], ['server' => $this->set->dsn()]);
        config(['redislock.server' => $this->set->dsn(), 'redislock.replicas' => 2]);

        foreach ([fn () => Cache::store('redislock')->lock('SKU0001', 10)->get(), fn () => RedisLock::lock('SKU0001', 0, 10)] as $lock) {
            $this->assertHasTooFewReplicas($lock);
        }
    }

    public function test_how_many_php_ini_says(): void
    {
        $this->start();
        config(['redislock.server' => $this->set->dsn()]);
        $before = ini_set('redislock.replicas', '2');
        self::assertNotFalse($before);
        try {
            $this->assertHasTooFewReplicas(fn () => RedisLock::lock('SKU0001', 0, 10));
        } finally {
            ini_set('redislock.replicas', $before);
        }
    }

    /** A busy machine may bring the server's answer a moment too late. Then nothing is known of its replicas, and it is asked again. */
    private function assertHasTooFewReplicas(callable $lock): void
    {
        for ($tries = 1; ; $tries++) {
            try {
                $lock();
                self::fail('one replica was enough');
            } catch (RedisLockServerException $e) {
                self::assertSame('NOREPLICAS', $e->redisError);

                return;
            } catch (RedisLockConnectionException $e) {
                if ($tries === 5 || !str_contains($e->getMessage(), 'no answer to WAIT in time')) {
                    throw $e;
                }
            }
        }
    }

    public function test_the_options_are_those_of_the_class_too(): void
    {
        $this->start(password: 'at-the-master', sentinelPassword: 'watch');
        config(['redislock.server' => $this->set->dsn(7), 'redislock.sentinel_password' => 'watch']);

        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));
        $redis = $this->set->master()->client();
        $redis->cmd('SELECT', 7);
        self::assertSame(['lock:SKU0001'], all_keys($redis));
        self::assertTrue(RedisLock::unlock('SKU0001')); // the servers end before the application does
    }

    public function test_a_server_that_is_none_is_told_when_the_store_is_made(): void
    {
        $this->use(['locks' => ['host' => 'nobody', 'port' => 1]], ['server' => 'redis-sentinel://s1']);

        $this->expectException(ValueError::class);
        $this->expectExceptionMessage('the name of the master is missing');
        Cache::store('redislock');
    }

    public function test_several_servers_are_none_for_a_store(): void
    {
        $this->use(['locks' => ['host' => 'nobody', 'port' => 1]], ['server' => ['redis://a', 'redis://b', 'redis://c']]);

        $this->expectExceptionObject(new InvalidArgumentException('cache.stores.redislock.server must be one server, as text'));
        Cache::store('redislock');
    }

    private function start(mixed ...$arguments): void
    {
        $this->set = SentinelSet::start(...$arguments);
    }

    /** @param array<string, mixed> $redis @param array<string, mixed> $store */
    private function use(array $redis, array $store = []): void
    {
        config(['database.redis' => $redis, 'cache.stores' => [
            'laravel' => ['driver' => 'redis', 'connection' => 'locks'],
            'redislock' => ['driver' => 'redislock', 'connection' => 'locks'] + $store,
        ]]);
    }

    private function assertBothKindsExcludeEachOther(string $key, int $database = 0): void
    {
        foreach ([['redislock', 'laravel'], ['laravel', 'redislock']] as [$one, $other]) {
            $lock = Cache::store($one)->lock('SKU0001', 10);
            self::assertTrue($lock->block(20));
            $redis = $this->set->master()->client();
            $redis->cmd('SELECT', $database);
            self::assertSame([$key], all_keys($redis), $one);
            self::assertFalse(Cache::store($other)->lock('SKU0001', 10)->get(), "$other is kept out by $one");
            self::assertTrue(Cache::store($other)->restoreLock('SKU0001', $lock->owner())->release());
        }
    }
}
