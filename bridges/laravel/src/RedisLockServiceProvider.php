<?php

namespace Redislock\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Foundation\Console\AboutCommand;
use Illuminate\Support\ServiceProvider;
use InvalidArgumentException;
use LogicException;
use Redislock\Laravel\Cache\RedisLockStore;
use Redislock\Laravel\Connections\LockServers;
use SensitiveParameter;

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
        if (method_exists(\RedisLock::class, 'describe')) { // neither without the extension nor with an older one
            (new Description(\RedisLock::describe(...)))->listen($this->app->make('events'));
        }
    }

    /** @param array<string, mixed> $config of the store */
    public static function store(Application $app, array $config): RedisLockStore
    {
        $settings = $app->make('config');
        $connection = $config['connection'] ?? 'default';
        $lockConnection = $config['lock_connection'] ?? $connection;
        $name = $config['store'] ?? 'redislock';
        $renew = isset($config['renew'])
            ? self::isOn("cache.stores.$name.renew", $config['renew'])
            : self::isOn('redislock.renew', $settings->get('redislock.renew'));
        $fallsBack = self::isOn('redislock.fallback', $settings->get('redislock.fallback'));
        $server = self::server($name, $config['server'] ?? null);
        $servers = null;

        if (extension_loaded('redislock')) {
            $servers = $app->make(LockServers::class);
            // What cannot be honoured is told now, not at the first lock.
            $server === null
                ? $servers->warnOfUnknown($servers->connection($app->make('redis'), $lockConnection))
                : $servers->check($server);
        } elseif ($renew || ! $fallsBack) {
            self::requireExtension("the cache store [$name]");
        }

        $store = new RedisLockStore(
            $servers,
            $app->make('redis'),
            $config['prefix'] ?? $settings->get('cache.prefix') ?? '',
            $connection,
            $settings->get('cache.serializable_classes'),
            $renew,
            $server,
        );

        return $store->setLockConnection($lockConnection);
    }

    /**
     * What is set: true, false, or one of the words that .env has for them, and that the class takes.
     *
     * @throws InvalidArgumentException
     */
    private static function isOn(string $setting, mixed $value): bool
    {
        return filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE)
            ?? throw new InvalidArgumentException("$setting must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false");
    }

    /** @throws InvalidArgumentException */
    private static function server(string $name, #[SensitiveParameter] mixed $server): ?string
    {
        return match (true) {
            $server === null || $server === '' => null, // as an .env file has none
            is_string($server) => $server,
            default => throw new InvalidArgumentException("cache.stores.$name.server must be one server, as text"),
        };
    }

    /** @throws LogicException */
    private static function requireExtension(string $what): void
    {
        if (! extension_loaded('redislock')) {
            throw new LogicException("The extension redislock is not loaded, and $what needs it: see its README for how to install it.");
        }
    }
}
