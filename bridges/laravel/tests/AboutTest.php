<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\About;
use Redislock\Laravel\Connections\LockServers;
use Redislock\Laravel\Tests\Support\TestCase;

class AboutTest extends TestCase
{
    public function test_it_says_where_the_locks_are(): void
    {
        $lines = $this->lines();
        $port = self::server()->port();

        self::assertSame("redis://127.0.0.1:$port/0", $lines['RedisLock']);
        self::assertSame("redis://127.0.0.1:$port/0", $lines['Locks of the cache store redislock']);
        self::assertStringNotContainsString('Warning', implode(array_keys($lines)));
    }

    #[Group('extension')]
    public function test_it_says_which_extension(): void
    {
        self::assertSame(phpversion('redislock'), $this->lines()['Extension']);
    }

    #[Group('bare')]
    public function test_it_says_that_the_extension_is_missing(): void
    {
        self::assertStringContainsString('not loaded', $this->lines()['Extension']);
    }

    public function test_it_warns_of_locks_that_a_cleared_cache_takes_with_it(): void
    {
        $stores = [
            'redislock' => ['driver' => 'redislock', 'connection' => 'cache'],
            'other' => ['driver' => 'redis', 'connection' => 'default'],
        ];
        config(['cache.stores' => $stores]);
        self::assertSame(['Warning: cache:clear redislock'], $this->warned());

        config(['cache.stores.redislock.lock_connection' => 'default']);
        self::assertSame(['Warning: cache:clear other'], $this->warned());

        config(['database.redis.default.database' => 2]);
        self::assertSame(['Warning: cache:clear other'], $this->warned(), 'the connection moved with the locks');

        config(['cache.stores.other.connection' => 'cache']);
        self::assertSame([], $this->warned());
    }

    public function test_it_tells_what_is_not_supported(): void
    {
        config(['database.redis.default.sharding' => true, 'database.redis.default.password' => 'secret']);

        self::assertStringContainsString('database.redis.default.sharding', $this->lines()['RedisLock']);
    }

    public function test_artisan_shows_it(): void
    {
        $kernel = $this->app->make(Kernel::class);
        $kernel->call('about', ['--only' => 'redis_lock,redislock']);

        self::assertStringContainsString('redis://127.0.0.1:'.self::server()->port().'/0', $kernel->output());
    }

    /** @return array<string, string> */
    private function lines(): array
    {
        return (new About($this->app['config'], new LockServers($this->app['config'])))->lines();
    }

    /** @return list<string> */
    private function warned(): array
    {
        return array_values(array_filter(array_keys($this->lines()), fn ($line) => str_starts_with($line, 'Warning')));
    }
}
