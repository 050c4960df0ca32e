<?php

namespace Redislock\Laravel\Tests;

use Closure;
use Illuminate\Contracts\Redis\Factory;
use Illuminate\Redis\Connections\Connection;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Redis as RedisFacade;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Predis\Command\Processor\ProcessorChain;
use Redis;
use RedisLock as Extension;
use Redislock\Laravel\Connections\UnsupportedConnection;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;

/** When an application goes on to another tenant, its locks go where Laravel's own go. */
#[Group('extension')]
class TenantTest extends TestCase
{
    /** @param Closure(self): mixed $switch */
    #[DataProvider('switches')]
    public function test_the_store_follows_laravels_client(string $client, Closure $switch, int $database, string $key): void
    {
        $this->useClient($client);
        foreach (['redis', 'redislock'] as $store) { // each has a connection and a lock from before
            self::assertTrue(Cache::store($store)->lock('before', 10)->get(fn () => true));
        }

        $switch($this);

        $this->redis->cmd('SELECT', $database);
        foreach ([['redislock', 'redis'], ['redis', 'redislock']] as [$one, $other]) {
            self::assertTrue(Cache::store($one)->lock('SKU0001', 10)->get());
            self::assertSame([$key], all_keys($this->redis), $one);
            self::assertFalse(Cache::store($other)->lock('SKU0001', 10)->get(), "$other is kept out by $one");
            $this->redis->cmd('DEL', $key);
        }
    }

    public static function switches(): array
    {
        $configure = fn (string $key, mixed $value) => config(["database.redis.$key" => $value]);
        $renewManager = function (self $test) {
            $test->app->forgetInstance('redis');
            Facade::clearResolvedInstance('redis');
        };
        $renewStores = fn () => Cache::forgetDriver(['redis', 'redislock']);
        $all = fn (Closure ...$steps) => function (self $test) use ($steps) {
            foreach ($steps as $step) {
                $step($test);
            }
        };
        $toDatabase5 = fn () => $configure('default.database', 5);
        $connection = fn (): Connection => RedisFacade::connection('default');
        $ours = 'app:cache:SKU0001';

        return [
            'another manager' => ['phpredis', $all($toDatabase5, $renewManager, $renewStores), 5, $ours],
            'another manager, Predis' => ['predis', $all($toDatabase5, $renewManager, $renewStores), 5, $ours],
            'another manager for another prefix' => [
                'phpredis', $all(fn () => $configure('options.prefix', 'tenant:'), $renewManager, $renewStores), 0, 'tenant:cache:SKU0001',
            ],
            'another client' => ['phpredis', $all($toDatabase5, fn () => $configure('client', 'predis'), $renewManager, $renewStores), 5, $ours],
            'the stores keep the manager that they have' => ['phpredis', $all($toDatabase5, $renewManager), 0, $ours],
            'the manager keeps the configuration that it has' => [
                'phpredis', $all($toDatabase5, fn () => RedisFacade::purge('default'), $renewStores), 0, $ours,
            ],
            'another cache prefix' => [
                'phpredis', $all(fn () => config(['cache.prefix' => 'tenant:']), $renewStores), 0, 'app:tenant:SKU0001',
            ],
            'a prefix of the client' => [
                'phpredis', fn () => $connection()->client()->setOption(Redis::OPT_PREFIX, 'tenant:'), 0, 'tenant:cache:SKU0001',
            ],
            'no prefix of the client' => ['phpredis', fn () => $connection()->client()->setOption(Redis::OPT_PREFIX, ''), 0, 'cache:SKU0001'],
            'a prefix of the client, Predis' => [
                'predis', fn () => $connection()->client()->getCommandFactory()->getProcessor()->setPrefix('tenant:'), 0, 'tenant:cache:SKU0001',
            ],
            'no prefix of the client, Predis' => ['predis', fn () => $connection()->client()->getCommandFactory()->setProcessor(null), 0, 'cache:SKU0001'],
            'a database of the client' => ['phpredis', fn () => $connection()->select(5), 5, $ours],
            'a client that serializes' => ['phpredis', fn () => $connection()->client()->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP), 0, $ours],
            'a connection that was made anew' => [
                'phpredis',
                $all(fn () => $connection()->client()->setOption(Redis::OPT_PREFIX, 'tenant:'), fn () => RedisFacade::purge('default')), 0, $ours,
            ],
        ];
    }

    public function test_a_worker_that_switched_keeps_out_one_that_began_with_the_tenant(): void
    {
        $worker = fn (string $switch) => $this->process($switch.'
            $say(Cache::lock("SKU0001", 10)->get() ? "held" : "refused");
            fgets(STDIN);
        ')->readLine();
        $tenant = 'config(["database.redis.default.database" => 5]);';
        $switch = 'Cache::lock("before", 10)->get(fn () => 1);'.$tenant.'app()->forgetInstance("redis"); Cache::forgetDriver("redislock");';

        self::assertSame(['held', 'refused'], [$worker($switch), $worker($tenant)]);
    }

    public function test_a_prefix_that_is_not_known_is_refused(): void
    {
        $this->useClient('predis');
        $processor = new ProcessorChain();
        RedisFacade::connection('default')->client()->getCommandFactory()->setProcessor($processor);

        $this->expectExceptionObject(new UnsupportedConnection('default.prefix', 'what '.ProcessorChain::class.' does with a key is not known'));
        Cache::lock('SKU0001', 10)->get();
    }

    public function test_a_redis_factory_of_the_applications_own_does_by_the_configuration(): void
    {
        $manager = $this->app->make('redis');
        config(['database.redis.default.database' => 5]);
        $this->app->instance('redis', new class($manager) implements Factory
        {
            public function __construct(private readonly Factory $manager)
            {
            }

            public function connection($name = null)
            {
                return $this->manager->connection($name);
            }
        });

        self::assertTrue(Cache::lock('SKU0001', 10)->get());
        $this->redis->cmd('SELECT', 5);
        self::assertSame(['app:cache:SKU0001'], all_keys($this->redis));
    }

    public function test_the_class_follows_and_keeps_what_it_holds(): void
    {
        self::assertTrue(RedisLock::lock('SKU0001', 0, 60));
        $first = $this->app->make(Extension::class);

        $this->toDatabase(5);
        self::assertNotSame($first, $this->app->make(Extension::class));
        self::assertFalse(RedisLock::isLocking('SKU0001'), "the first tenant's");
        self::assertTrue(RedisLock::lock('SKU0001', 0, 60));
        $this->redis->cmd('SELECT', 5);
        self::assertSame(['app:lock:SKU0001'], all_keys($this->redis));

        $this->toDatabase(0);
        self::assertSame($first, $this->app->make(Extension::class));
        self::assertTrue(RedisLock::isLocking('SKU0001'), 'it was kept meanwhile');
    }

    public function test_the_end_of_the_scope_releases_in_every_place(): void
    {
        RedisLock::lock('SKU0001', 0, 60);
        $this->toDatabase(5);
        RedisLock::lock('SKU0001', 0, 60);

        $this->app->forgetScopedInstances();

        self::assertSame([], all_keys($this->redis));
        $this->redis->cmd('SELECT', 5);
        self::assertSame([], all_keys($this->redis));
    }

    public function test_the_class_follows_a_prefix_of_the_client(): void
    {
        RedisFacade::connection('default')->client()->setOption(Redis::OPT_PREFIX, 'tenant:');

        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));
        self::assertSame(['tenant:lock:SKU0001'], all_keys($this->redis));
    }

    protected function config(): array
    {
        return ['cache.stores.redis' => ['driver' => 'redis', 'connection' => 'cache', 'lock_connection' => 'default']];
    }

    private function useClient(string $client): void
    {
        config(['database.redis.client' => $client]);
    }

    private function toDatabase(int $database): void
    {
        config(['database.redis.default.database' => $database]);
        $this->app->forgetInstance('redis');
        Facade::clearResolvedInstance('redis');
    }
}
