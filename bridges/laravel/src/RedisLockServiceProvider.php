<?php

namespace Redislock\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Foundation\Console\AboutCommand;
use Illuminate\Support\ServiceProvider;
use LogicException;
use Redislock\Laravel\Cache\RedisLockStore;
use Redislock\Laravel\Connections\LockServers;

class RedisLockServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__.'/../config/redislock.php', 'redislock');

        $this->app->bind(LockServers::class, fn (Application $app) => new LockServers($app));

        // Scoped, never a singleton: a job or an Octane request that throws inside of its section takes its object with
        // it, which releases the lock. In a singleton the next one in the same worker would find it held.
        $this->app->scoped(ScopedLocks::class, fn (Application $app) => new ScopedLocks($app, $app->make(LockServers::class)));
        $this->app->bind(\RedisLock::class, static function (Application $app) {
            self::requireExtension('RedisLock');

            return $app->make(ScopedLocks::class)->current();
        });

        $this->callAfterResolving('cache', function (CacheManager $cache) {
            $cache->extend('redislock', fn (Application $app, array $config) => $cache->repository(
                RedisLockServiceProvider::store($app, $config),
                $config,
            ));
        });
    }

    public function boot(): void
    {
        if ($this->app->runningInConsole()) {
            $this->publishes([__DIR__.'/../config/redislock.php' => $this->app->configPath('redislock.php')], 'redislock-config');
            AboutCommand::add('RedisLock', static fn (About $about) => $about->lines());
        }
    }

    /** @param array<string, mixed> $config of the store */
    public static function store(Application $app, array $config): RedisLockStore
    {
        $settings = $app->make('config');
        $connection = $config['connection'] ?? 'default';
        $lockConnection = $config['lock_connection'] ?? $connection;
        $renew = $config['renew'] ?? $settings->get('redislock.renew');
        $servers = null;

        if (extension_loaded('redislock')) {
            $servers = $app->make(LockServers::class);
            // What cannot be honoured is told now, not at the first lock.
            $servers->warnOfUnknown($servers->connection($app->make('redis'), $lockConnection));
        } elseif ($renew || ! $settings->get('redislock.fallback')) {
            self::requireExtension('the cache store ['.($config['store'] ?? 'redislock').']');
        }

        $store = new RedisLockStore(
            $servers,
            $app->make('redis'),
            $config['prefix'] ?? $settings->get('cache.prefix') ?? '',
            $connection,
            $settings->get('cache.serializable_classes'),
            (bool) $renew,
        );

        return $store->setLockConnection($lockConnection);
    }

    /** @throws LogicException */
    private static function requireExtension(string $what): void
    {
        if (! extension_loaded('redislock')) {
            throw new LogicException("The extension redislock is not loaded, and $what needs it: see its README for how to install it.");
        }
    }
}
