<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Redis\Connectors\PhpRedisConnector;

/** A node of one of `redis.clusters`, as Laravel's PhpRedisConnector and RedisCluster read it: its own is its address alone. */
final class PhpRedisClusterMap extends PhpRedisMap
{
    /** Nothing is read from a replica, so `failover` leads the lock nowhere. */
    protected const WITHOUT_EFFECT = [...parent::WITHOUT_EFFECT, 'database', 'username'];

    private const ADDRESS = ['scheme', 'host', 'port'];

    /** @throws UnsupportedConnection */
    public static function cluster(ServerList $list, string $prefix, bool $packs): Server
    {
        $nodes = [];
        foreach ($list->servers() as $place => $server) {
            $settings = $list->options($place, ...self::ADDRESS);
            $settings->add(array_intersect_key($server, array_flip(self::ADDRESS)), $place);
            $nodes[$place] = (new self($settings))->node();
        }

        return (new Nodes($nodes, 'context'))->cluster($prefix, $packs);
    }

    protected function database(): int
    {
        return 0;
    }

    protected function username(): mixed
    {
        return method_exists(PhpRedisConnector::class, 'formatClusterPassword') ? parent::username() : null; // Laravel 13
    }

    protected function sslContext(): array
    {
        return ['context', $this->context()['stream'] ?? []];
    }

    /** RedisCluster takes the options of TLS themselves. */
    protected function normalized(array $context): array
    {
        if (method_exists(PhpRedisConnector::class, 'normalizeClusterContext')) { // Laravel 13
            $context = match (true) {
                is_array($context['ssl'] ?? null) => $context['ssl'],
                is_array($context['stream'] ?? null) => $context['stream'],
                default => $context,
            };
        }

        return ['stream' => $context];
    }
}
