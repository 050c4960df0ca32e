<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Redis\Factory;
use Illuminate\Redis\RedisManager;
use Redislock\Laravel\OncePerDay;

/**
 * Where locks are, and the options with which they are taken. Nothing is kept: where a connection leads is what Laravel's
 * Redis manager says now, since an application may change that for each of its tenants.
 */
final class LockServers
{
    public function __construct(private readonly Container $app)
    {
    }

    /**
     * Where the manager's client of that name would put a lock.
     *
     * @throws UnsupportedConnection
     */
    public function connection(Factory $redis, string $name): Server
    {
        // The manager keeps a copy of the configuration from when it was made, and connects by that.
        [$settings, $open] = $redis instanceof RedisManager
            ? (fn () => [
                isset($this->driver, $this->config) ? ['client' => $this->driver] + $this->config : null,
                $this->connections[$name] ?? null,
            ])->call($redis)
            : [null, null];
        $server = ConnectionMap::server($settings ?? $this->app->make('config')->get('database.redis', []), $name);

        return $open === null ? $server : OpenConnection::server($open, $server);
    }

    /** Where the class RedisLock and its facade lock. */
    public function default(): Server
    {
        $settings = $this->settings();

        return empty($settings['server'])
            ? $this->connection($this->app->make('redis'), $settings['connection'] ?? 'default')
            : new Server($settings['server']);
    }

    /** In the log, where the lock is made without something that its configuration says. */
    public function warnOfUnknown(Server $server): void
    {
        if ($server->unknown !== []) {
            OncePerDay::warn('redislock ignores what it does not know in config/database.php: '.self::written($server->unknown));
        }
    }

    /**
     * As config() knows them.
     *
     * @param  list<string>  $keys  as in Server::$unknown
     */
    public static function written(array $keys): string
    {
        return implode(', ', array_map(fn (string $key) => "database.redis.$key", $keys));
    }

    /** @return array<string, mixed> what the class and the store have in common */
    public function options(): array
    {
        return $this->chosen('max_waiters', 'retry_interval', 'connect_timeout', 'read_timeout', 'max_hold', 'on_loss');
    }

    /** @return array<string, mixed> what only the class has, on this server */
    public function defaultOptions(Server $server): array
    {
        return ['prefix' => $server->prefix.($this->settings()['prefix'] ?? '')]
            + $this->chosen('expire', 'timeout', 'renew', 'fencing')
            + $this->options();
    }

    /** @return array<string, mixed> those that are not null */
    private function chosen(string ...$keys): array
    {
        return array_filter(
            array_intersect_key($this->settings(), array_flip($keys)),
            fn ($value) => $value !== null,
        );
    }

    /** @return array<string, mixed> config/redislock.php */
    private function settings(): array
    {
        return $this->app->make('config')->get('redislock', []);
    }
}
