<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use Psr\Log\LoggerInterface;
use RedisLock;
use Symfony\Component\Lock\Exception\InvalidArgumentException;
use Symfony\Component\Lock\PersistingStoreInterface;
use Symfony\Component\Lock\Store\StoreFactory as SymfonyStoreFactory;

/**
 * Makes the store of a `framework.lock` resource.
 *
 * A DSN is `redislock+` before the address of a server as RedisLock takes it: `redislock+rediss://cache:6380/1`,
 * `redislock+unix:///run/redis.sock`; `redislock://` is short for `redislock+redis://`. Behind `?` stand the store's
 * `timeout`, `initial_ttl` and `renew`, and the options of RedisLock: `?timeout=5&prefix=shop:lock:`. The address may also be
 * written as Symfony's RedisAdapter has it: `redislock+redis:?host[n1]&host[n2]&redis_cluster=1`.
 */
final class StoreFactory
{
    /** The store sets each lease itself, and which locks are released, and when, the component says. */
    private const WITHOUT_EFFECT = ['expire', 'auto_release', 'fencing'];

    /**
     * @param object|string $resource a DSN of ours, a RedisLock, a store, or whatever Symfony's own factory takes
     * @param string        $id       tells the stores of one CombinedStore apart
     */
    public static function createStore(
        #[\SensitiveParameter] object|string $resource,
        ?LoggerInterface $logger = null,
        string $id = '',
    ): PersistingStoreInterface {
        return match (true) {
            $resource instanceof PersistingStoreInterface => $resource,
            $resource instanceof RedisLock => new RedisLockStore($resource, logger: $logger, id: $id),
            is_string($resource) && preg_match('/^redislock[:+]/i', $resource) === 1 => self::fromDsn($resource, $logger, $id),
            default => SymfonyStoreFactory::createStore($resource),
        };
    }

    private static function fromDsn(#[\SensitiveParameter] string $dsn, ?LoggerInterface $logger, string $id): RedisLockStore
    {
        [$server, $query] = explode('?', $dsn, 2) + [1 => ''];
        $server = stripos($server, 'redislock+') === 0
            ? substr($server, strlen('redislock+'))
            : 'redis' . substr($server, strlen('redislock'));
        parse_str($query, $options);
        $arguments = array_filter([
            'initialTtl' => self::seconds($options, 'initial_ttl'),
            'timeout' => self::seconds($options, 'timeout'),
            'renew' => self::bool($options, 'renew'),
        ], fn ($value) => $value !== null);

        [$server, $options] = SymfonyDsn::translate($server, self::options($options));

        return new RedisLockStore(self::lock($server, $options), ...$arguments, logger: $logger, id: $id, holds: true);
    }

    /**
     * Removes a time from the options and returns it; null: it is not there.
     *
     * @param array<mixed> $options
     */
    private static function seconds(array &$options, string $name): ?float
    {
        $value = $options[$name] ?? null;
        unset($options[$name]);

        return match (true) {
            $value === null => null,
            $value === 'INF' => INF,
            is_numeric($value) => (float) $value,
            default => throw new InvalidArgumentException("\"$name\" of a redislock DSN must be a number of seconds, or INF."),
        };
    }

    /**
     * Removes a bool from the options and returns it; null: it is not there.
     *
     * @param array<mixed> $options
     */
    private static function bool(array &$options, string $name): ?bool
    {
        $value = $options[$name] ?? null;
        unset($options[$name]);

        return $value === null ? null : filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE)
            ?? throw new InvalidArgumentException("\"$name\" of a redislock DSN must be true or false.");
    }

    /**
     * In a DSN all values are strings. RedisLock takes numbers and bools so.
     *
     * @param array<mixed> $options
     *
     * @return array<mixed>
     */
    private static function options(array $options): array
    {
        foreach (array_intersect(self::WITHOUT_EFFECT, array_keys($options)) as $name) {
            throw new InvalidArgumentException("\"$name\" has no effect in a redislock DSN, which takes \"timeout\" and \"initial_ttl\".");
        }
        if (isset($options['db'])) { // the way a unix socket's address names it
            $options += ['database' => $options['db']];
            unset($options['db']);
        }

        return $options;
    }

    /** @param array<mixed> $options */
    private static function lock(#[\SensitiveParameter] string $server, #[\SensitiveParameter] array $options): RedisLock
    {
        try {
            return new RedisLock($server, $options + ['auto_release' => false]);
        } catch (\ValueError|\TypeError $e) {
            throw new InvalidArgumentException('A redislock DSN cannot be used: ' . $e->getMessage(), 0, $e);
        }
    }
}
