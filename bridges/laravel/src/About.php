<?php

namespace Redislock\Laravel;

use Illuminate\Contracts\Config\Repository;
use Redislock\Laravel\Connections\LockServers;
use Redislock\Laravel\Connections\UnsupportedConnection;

/** What `php artisan about` says of the locks. */
final class About
{
    public function __construct(private readonly Repository $config, private readonly LockServers $servers)
    {
    }

    /** @return array<string, string> */
    public function lines(): array
    {
        $lines = ['Extension' => phpversion('redislock') ?: "<fg=yellow;options=bold>not loaded: Laravel's own locks</>"];
        $lines['RedisLock'] = $this->described(fn () => (string) $this->servers->default());

        foreach ($this->stores('redislock') as $name => $store) {
            $lines["Locks of the cache store $name"] = $this->described(fn () => $this->locksOf($store));
            foreach ($this->flushedBy($store) as $flushing) {
                $lines["Warning: cache:clear $flushing"] = "<fg=red;options=bold>it empties the database of the locks of $name</>";
            }
        }

        return $lines;
    }

    /** @return array<string, array<string, mixed>> name => configuration */
    private function stores(string ...$drivers): array
    {
        return array_filter(
            $this->config->get('cache.stores', []),
            fn ($store) => in_array($store['driver'] ?? '', $drivers, true),
        );
    }

    /**
     * The stores that empty the database in which this one locks: clearing a Redis store is FLUSHDB.
     *
     * @param  array<string, mixed>  $store
     * @return list<string>
     */
    private function flushedBy(array $store): array
    {
        $locks = $this->described(fn () => $this->locksOf($store));

        return array_keys(array_filter(
            $this->stores('redis', 'redislock'),
            fn ($other) => $this->described(fn () => (string) $this->servers->connection($other['connection'] ?? 'default')) === $locks,
        ));
    }

    /** @param array<string, mixed> $store */
    private function locksOf(array $store): string
    {
        return (string) $this->servers->connection($store['lock_connection'] ?? $store['connection'] ?? 'default');
    }

    /** @param callable(): string $describe */
    private function described(callable $describe): string
    {
        try {
            return $describe();
        } catch (UnsupportedConnection $e) {
            return $e->getMessage();
        }
    }
}
