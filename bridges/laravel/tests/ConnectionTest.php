<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Connections\UnsupportedConnection;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RedisLockConnectionException;
use TlsServer;

/** Laravel's client and the extension come to the same key by every kind of connection. */
#[Group('extension')]
class ConnectionTest extends TestCase
{
    /** @param callable(self): array<string, mixed> $connection */
    #[DataProvider('connections')]
    public function test_both_come_to_the_same_key(string $client, callable $connection): void
    {
        $this->redis->cmd('ACL', 'SETUSER', 'me', 'on', '>sécret', '~*', '&*', '+@all');
        config(['database.redis.client' => $client, 'database.redis.locks' => $connection(), 'cache.stores' => [
            'laravel' => ['driver' => 'redis', 'connection' => 'locks'],
            'redislock' => ['driver' => 'redislock', 'connection' => 'locks'],
        ]]);

        self::assertTrue(Cache::store('redislock')->lock('SKU0001', 10)->get());
        self::assertFalse(Cache::store('laravel')->lock('SKU0001', 10)->get());
        self::assertTrue(Cache::store('laravel')->lock('SKU0002', 10)->get());
        self::assertFalse(Cache::store('redislock')->lock('SKU0002', 10)->get());
    }

    public static function connections(): array
    {
        $port = fn () => self::server()->port();
        $socket = fn () => self::server()->socket();

        return [
            'phpredis, host' => ['phpredis', fn () => ['host' => '127.0.0.1', 'port' => $port()]],
            'phpredis, database' => ['phpredis', fn () => ['host' => '127.0.0.1', 'port' => $port(), 'database' => '3']],
            'phpredis, tcp://' => ['phpredis', fn () => ['host' => 'tcp://127.0.0.1', 'port' => $port()]],
            'phpredis, socket' => ['phpredis', fn () => ['host' => $socket(), 'port' => 0]],
            'phpredis, unix://' => ['phpredis', fn () => ['host' => 'unix://'.$socket(), 'port' => 0, 'database' => 1]],
            'phpredis, scheme unix' => ['phpredis', fn () => ['scheme' => 'unix', 'host' => $socket(), 'port' => 0]],
            'phpredis, url' => ['phpredis', fn () => ['url' => 'redis://me:s%C3%A9cret@127.0.0.1:'.$port().'/5']],
            'phpredis, login' => ['phpredis', fn () => ['host' => '127.0.0.1', 'port' => $port(), 'username' => 'me', 'password' => 'sécret']],
            'phpredis, login in the context' => ['phpredis', fn () => [
                'scheme' => 'tcp', 'host' => '127.0.0.1', 'port' => $port(), 'context' => ['auth' => ['me', 'sécret'], 'stream' => []],
            ]],
            'predis, host' => ['predis', fn () => ['host' => '127.0.0.1', 'port' => $port(), 'database' => 3]],
            'predis, socket' => ['predis', fn () => ['scheme' => 'unix', 'path' => $socket()]],
            'predis, url' => ['predis', fn () => ['url' => 'redis://me:s%C3%A9cret@127.0.0.1:'.$port().'/5']],
            'predis, login' => ['predis', fn () => ['host' => '127.0.0.1', 'port' => $port(), 'username' => 'me', 'password' => 'sécret']],
        ];
    }

    public function test_tls(): void
    {
        $tls = TlsServer::start(['subjectAltName' => 'DNS:localhost,IP:127.0.0.1']);
        $context = ['cafile' => $tls->authority];
        $here = ['host' => '127.0.0.1', 'port' => $tls->port];

        $this->test_both_come_to_the_same_key('phpredis', fn () => $here + ['scheme' => 'tls', 'context' => ['stream' => $context]]);
        $tls->server->client()->cmd('FLUSHALL');
        $this->app = $this->boot();
        $this->test_both_come_to_the_same_key('predis', fn () => $here + ['scheme' => 'tls', 'ssl' => $context]);

        $this->app = $this->boot();
        $this->expectException(RedisLockConnectionException::class);
        $this->test_both_come_to_the_same_key('phpredis', fn () => $here + ['scheme' => 'tls']); // nobody knows this authority
    }

    public function test_the_class_uses_the_connection_and_its_prefix(): void
    {
        config(['redislock.prefix' => 'shop:', 'redislock.connection' => 'cache']);

        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));
        $this->redis->cmd('SELECT', 1);
        self::assertNotNull($this->redis->cmd('GET', 'app:shop:SKU0001'));
    }

    public function test_the_class_may_have_a_server_of_its_own(): void
    {
        config(['redislock.server' => self::server()->dsn(database: 7)]);

        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));
        $this->redis->cmd('SELECT', 7);
        self::assertNotNull($this->redis->cmd('GET', 'lock:SKU0001'));
    }

    public function test_a_connection_that_is_not_supported_is_told_when_the_store_is_made(): void
    {
        config(['database.redis.default.sentinels' => []]);

        $this->expectException(UnsupportedConnection::class);
        Cache::store('redislock');
    }

    public function test_a_redis_that_is_down_is_an_exception(): void
    {
        config(['database.redis.default' => ['host' => self::server()->folder().'/none.sock', 'port' => 0]]);

        $this->expectException(RedisLockConnectionException::class);
        Cache::lock('SKU0001', 10)->get();
    }

    public function test_the_queue_may_be_limited(): void
    {
        config(['redislock.max_waiters' => 1]);
        Cache::lock('SKU0001', 30)->get();
        $waiter = $this->process('$say("waits"); Cache::lock("SKU0001", 10)->block(30);');
        $waiter->readLine();
        $this->eventually(fn () => $this->redis->cmd('ZCARD', '{app:cache:SKU0001}:rl:wait') === 1, 'one waits');

        $this->expectException(\Illuminate\Contracts\Cache\LockTimeoutException::class);
        Cache::lock('SKU0001', 10)->block(20);
    }
}
