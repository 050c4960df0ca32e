<?php

namespace Redislock\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Contracts\Redis\Factory;
use Redislock\Laravel\Connections\LockServers;
use Redislock\Laravel\Connections\Server;
use Redislock\Laravel\Connections\UnsupportedConnection;

/** What `php artisan about` says of the locks. */
final class About
{
    /** @var array<string, true> settings that locks are made without */
    private array $unknown = [];

    public function __construct(
        private readonly Repository $config,
        private readonly LockServers $servers,
        private readonly Factory $redis,
    ) {
    }

    /** @return array<string, string> */
    public function lines(): array
    {
        $places = $this->places();
        $lines = ['Extension' => phpversion('redislock') ?: "<fg=yellow;options=bold>not loaded: Laravel's own locks</>"];
        if ($this->unknown !== []) {
            $unknown = LockServers::written(array_keys($this->unknown));
            $lines['Unknown settings, ignored'] = "<fg=yellow;options=bold>$unknown</>";
        }

        // Clearing a Redis store is FLUSHDB, which takes the locks of the same database with it.
        foreach ($this->stores('redis', 'redislock') as $name => $store) {
            $endangered = array_keys($places, $this->place($store['connection'] ?? 'default'), true);
            if ($endangered !== []) {
                $lines["Warning: cache:clear $name"] = '<fg=red;options=bold>empties the database of '.implode(', ', $endangered).'</>';
            }
        }

        return $lines + $places;
    }

    /** @return array<string, string> whose locks => where they are */
    private function places(): array
    {
        $places = ['RedisLock' => $this->described(fn () => $this->servers->default())];
        foreach ($this->stores('redislock') as $name => $store) {
            $places["Locks of the cache store $name"] = empty($store['server'])
                ? $this->place($store['lock_connection'] ?? $store['connection'] ?? 'default')
                : (string) new Server($store['server']);
        }

        return $places;
    }

    /** @return array<string, array<string, mixed>> name => configuration */
    private function stores(string ...$drivers): array
    {
        return array_filter(
            $this->config->get('cache.stores', []),
            fn ($store) => in_array($store['driver'] ?? '', $drivers, true),
        );
    }

    private function place(string $connection): string
    {
        return $this->described(fn () => $this->servers->connection($this->redis, $connection));
    }

    /** @param callable(): Server $find */
    private function described(callable $find): string
    {
        try {
            $server = $find();
            $this->unknown += array_fill_keys($server->unknown, true);

            return (string) $server;
        } catch (UnsupportedConnection $e) {
            return $e->getMessage();
        }
    }
}
