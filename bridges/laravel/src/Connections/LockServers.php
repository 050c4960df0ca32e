<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Contracts\Config\Repository;

/** The servers that the application's configuration names, and the options with which they are used. */
final class LockServers
{
    /** @var array<string, Server> */
    private array $servers = [];

    public function __construct(private readonly Repository $config)
    {
    }

    /** @throws UnsupportedConnection */
    public function connection(string $name): Server
    {
        return $this->servers[$name] ??= ConnectionMap::server($this->config->get('database.redis', []), $name);
    }

    /** Where the class RedisLock and its facade lock. */
    public function default(): Server
    {
        $server = $this->config->get('redislock.server');

        return empty($server) ? $this->connection($this->config->get('redislock.connection') ?? 'default') : new Server($server);
    }

    /** @return array<string, mixed> what the class and the store have in common */
    public function options(): array
    {
        return $this->configured('max_waiters', 'retry_interval', 'connect_timeout', 'read_timeout');
    }

    /** @return array<string, mixed> what only the class has */
    public function defaultOptions(): array
    {
        return ['prefix' => $this->default()->prefix.$this->config->get('redislock.prefix')]
            + $this->configured('expire', 'timeout', 'fencing')
            + $this->options();
    }

    /** @return array<string, mixed> those that are not null */
    private function configured(string ...$keys): array
    {
        $options = [];
        foreach ($keys as $key) {
            $options[$key] = $this->config->get("redislock.$key");
        }

        return array_filter($options, fn ($value) => $value !== null);
    }
}
