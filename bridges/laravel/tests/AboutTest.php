<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\About;
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
        config(['cache.stores' => [
            'redislock' => ['driver' => 'redislock', 'connection' => 'cache'],
            'other' => ['driver' => 'redis', 'connection' => 'cache'],
            'files' => ['driver' => 'file'],
        ]]);
        $both = ['redislock' => 'Locks of the cache store redislock', 'other' => 'Locks of the cache store redislock'];
        self::assertSame($both, $this->warned());

        config(['cache.stores.redislock.lock_connection' => 'default']);
        self::assertSame([], $this->warned());

        config(['cache.stores.other.connection' => 'default']);
        self::assertSame(['other' => 'RedisLock, Locks of the cache store redislock'], $this->warned());

        config(['redislock.connection' => 'locks', 'database.redis.locks' => ['host' => '127.0.0.1', 'port' => 1]]);
        $this->app->forgetInstance('redis');
        self::assertSame(['other' => 'Locks of the cache store redislock'], $this->warned());
    }

    public function test_it_warns_of_them_where_a_store_names_its_server(): void
    {
        $server = 'redis-sentinel://s1:26379/mymaster/0';
        config(['cache.stores' => ['redislock' => ['driver' => 'redislock', 'connection' => 'cache', 'server' => $server]]]);

        self::assertSame($server, $this->lines()['Locks of the cache store redislock']);
        self::assertSame(['redislock' => 'Locks of the cache store redislock'], $this->warned());

        config(['cache.stores.redislock.lock_connection' => 'locks']);
        self::assertSame([], $this->warned());
    }

    public function test_it_tells_what_is_not_supported(): void
    {
        config(['database.redis.default.sentinels' => [], 'database.redis.default.password' => 'secret']);

        self::assertStringContainsString('database.redis.default.sentinels', $this->lines()['RedisLock']);
        self::assertStringNotContainsString('secret', implode($this->lines()));
    }

    public function test_it_tells_what_is_not_known(): void
    {
        self::assertArrayNotHasKey('Unknown settings, ignored', $this->lines());

        config(['database.redis.default.tuning' => 'secret', 'database.redis.default.idle' => 5, 'database.redis.other' => ['host' => 'x', 'new' => 1]]);
        $this->app->forgetInstance('redis');
        $lines = $this->lines();

        self::assertStringContainsString('>database.redis.default.tuning, database.redis.default.idle<', $lines['Unknown settings, ignored']);
        self::assertStringNotContainsString('secret', implode($lines));
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
        return $this->app->make(About::class)->lines();
    }

    /** @return array<string, string> the store that is cleared => whose locks that takes along */
    private function warned(): array
    {
        $warned = [];
        foreach ($this->lines() as $line => $text) {
            if (str_starts_with($line, 'Warning: cache:clear ')) {
                $warned[substr($line, 21)] = preg_replace('/^.*database of (.*)<.*$/', '$1', $text);
            }
        }

        return $warned;
    }
}
