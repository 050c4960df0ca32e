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
            $connection = $store['connection'] ?? 'default';
            $endangered = array_unique([...array_keys($places, $this->place($connection), true), ...$this->beside($connection)]);
            if ($endangered !== []) {
                $lines["Warning: cache:clear $name"] = '<fg=red;options=bold>empties the database of '.implode(', ', $endangered).'</>';
            }
        }

        return $lines + $places;
    }

    /** @return list<string> whose locks have a server of their own, which is that of this connection */
    private function beside(string $connection): array
    {
        $named = fn (array $store) => ! empty($store['server']) && self::lockConnection($store) === $connection;

        return array_map(self::locksOf(...), array_keys(array_filter($this->stores('redislock'), $named)));
    }

    /** @return array<string, string> whose locks => where they are */
    private function places(): array
    {
        $places = ['RedisLock' => $this->described(fn () => $this->servers->default())];
        foreach ($this->stores('redislock') as $name => $store) {
            $places[self::locksOf($name)] = empty($store['server'])
                ? $this->place(self::lockConnection($store))
                : (string) new Server($store['server']);
        }

        return $places;
    }

    private static function locksOf(string $store): string
    {
        return "Locks of the cache store $store";
    }

    /** @param array<string, mixed> $store */
    private static function lockConnection(array $store): string
    {
        return $store['lock_connection'] ?? $store['connection'] ?? 'default';
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
