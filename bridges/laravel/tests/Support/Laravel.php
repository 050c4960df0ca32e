<?php

namespace Redislock\Laravel\Tests\Support;

use Illuminate\Cache\NoLock;
use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Console\Kernel;
use Illuminate\Foundation\Application;
use PrivateFolder;

/** A fresh Laravel application, with its default configuration and the bridge as Composer found it. */
final class Laravel
{
    private static ?PrivateFolder $folder = null;

    /** @param array<string, mixed> $config in dot notation */
    public static function boot(int $port, array $config = []): Application
    {
        $app = Application::configure(basePath: self::folder())->withExceptions(fn () => null)->create();
        $app->make(Kernel::class)->bootstrap();

        config([
            'app.key' => 'base64:'.base64_encode(str_repeat('k', 32)),
            'cache.default' => 'redislock',
            'cache.prefix' => 'cache:',
            'cache.stores.redislock' => ['driver' => 'redislock', 'connection' => 'cache', 'lock_connection' => 'default'],
            'database.redis.options.prefix' => 'app:',
            'database.redis.default.port' => $port,
            'database.redis.cache.port' => $port,
            'database.default' => 'sqlite',
            'database.connections.sqlite' => ['driver' => 'sqlite', 'database' => ':memory:', 'prefix' => ''],
            'logging.default' => 'null',
            'queue.default' => 'redis',
            'session.driver' => 'file',
            ...$config,
        ]);
        if (getenv('BRIDGE_MUTANT')) {
            self::lockNobodyOut($app);
        }

        return $app;
    }

    /** Laravel's base path, in a folder that goes with this process. */
    public static function folder(): string
    {
        if (self::$folder === null) {
            self::$folder = new PrivateFolder();
            foreach (['bootstrap/cache', 'config', 'routes', 'storage/logs'] as $folder) {
                mkdir(self::$folder->path.'/'.$folder, recursive: true);
            }
            foreach (['cache/data', 'views', 'sessions'] as $folder) {
                mkdir(self::$folder->path.'/storage/framework/'.$folder, recursive: true);
            }
        }

        return self::$folder->path;
    }

    /** What every test of a use of the lock must find out: a driver whose locks are had by everybody. */
    private static function lockNobodyOut(Application $app): void
    {
        $app->make('cache')->extend('redislock', fn ($app, $config) => $app->make('cache')->repository(
            new class($app['redis'], 'cache:', $config['connection'] ?? 'default') extends RedisStore
            {
                public function lock($name, $seconds = 0, $owner = null)
                {
                    return new NoLock($name, $seconds, $owner);
                }
            },
            $config,
        ));
    }
}
