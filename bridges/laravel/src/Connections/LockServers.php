<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Redis\Factory;
use Illuminate\Redis\RedisManager;
use Redislock\Laravel\OncePerDay;
use SensitiveParameter;

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
     * @param  string|null  $server  where the lock is instead, under the key that the client would use
     *
     * @throws UnsupportedConnection
     */
    public function connection(Factory $redis, string $name, #[SensitiveParameter] ?string $server = null): Server
    {
        // The manager keeps a copy of the configuration from when it was made, and connects by that.
        [$settings, $open] = $redis instanceof RedisManager
            ? (fn () => [
                isset($this->driver, $this->config) ? ['client' => $this->driver] + $this->config : null,
                $this->connections[$name] ?? null,
            ])->call($redis)
            : [null, null];
        $settings ??= $this->app->make('config')->get('database.redis', []);
        if ($server === null) {
            $configured = ConnectionMap::server($settings, $name);
        } else {
            [$prefix, $packs] = ConnectionMap::knows($settings) ? ConnectionMap::keys($settings, $name) : ['', false];
            $configured = $this->named($server, $prefix, $packs);
            // Only a client of another kind itself can tell what it does with a key.
            $open ??= ConnectionMap::knows($settings) ? null : $redis->connection($name);
        }

        return $open === null ? $configured : OpenConnection::server($open, $configured);
    }

    /** Where the class RedisLock and its facade lock. */
    public function default(): Server
    {
        $settings = $this->settings();

        return empty($settings['server'])
            ? $this->connection($this->app->make('redis'), $settings['connection'] ?? 'default')
            : $this->named($settings['server']);
    }

    /**
     * Whether a server can be locked on as it is written, with the options there are.
     *
     * @throws \ValueError
     */
    public function check(#[SensitiveParameter] string $server): void
    {
        $this->named($server)->open($this->options());
    }

    /** @param string|array<string> $server as the configuration has it */
    private function named(#[SensitiveParameter] string|array $server, string $prefix = '', bool $packs = false): Server
    {
        $options = $this->chosen('sentinel_username', 'sentinel_password', 'sentinel_tls');

        return new Server($server, $options, $prefix, $packs, named: true);
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
        $options = $this->chosen(
            'max_waiters', 'retry_interval', 'connect_timeout', 'read_timeout', 'max_hold', 'on_loss', 'replicas', 'local', 'takeover', 'owner',
            'slow_wait', 'slow_hold', 'listener',
        );
        if (is_string($options['listener'] ?? null)) {
            $options['listener'] = $this->app->make($options['listener']);
        }

        return $options;
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
