<?php

namespace Redislock\Laravel\Cache;

use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Redis\Factory as Redis;
use RedisLock;
use Redislock\Laravel\Connections\LockServers;
use Redislock\Laravel\OncePerDay;
use SensitiveParameter;

/** Laravel's Redis store, whose locks are the extension's: on the same keys, so that both kinds exclude each other. */
class RedisLockStore extends RedisStore
{
    /**
     * @param  LockServers|null  $servers  null: the extension is missing
     * @param  string  $prefix
     * @param  string  $connection
     * @param  array|bool|null  $serializableClasses  since Laravel 12
     * @param  bool  $renew  whether leases are renewed, if the lock does not say otherwise
     * @param  string|null  $server  where the locks are; null: where the connection leads
     */
    public function __construct(
        private readonly ?LockServers $servers,
        Redis $redis,
        $prefix = '',
        $connection = 'default',
        $serializableClasses = null,
        private readonly bool $renew = false,
        #[SensitiveParameter] private readonly ?string $server = null,
    ) {
        parent::__construct($redis, $prefix, $connection, $serializableClasses);
    }

    public function lock($name, $seconds = 0, $owner = null)
    {
        $connection = $this->lockConnection ?? $this->connection;
        if ($this->servers === null) {
            OncePerDay::warn("The extension redislock is not loaded: the cache's locks are Laravel's own, which poll.");

            return parent::lock($name, (int) ceil($seconds), $owner); // it would make 0 of 0.5, which is without end
        }
        $server = $this->servers->connection($this->redis, $connection, $this->server);
        // Each lock says by itself whether it is renewed: one without end is not.
        $options = ['prefix' => '', 'auto_release' => false, 'renew' => false] + self::group($name) + $this->servers->options();
        $lock = new Lock(
            fn (array $more) => $server->open($more + $options),
            $connection,
            $server->prefix.$this->prefix.$name,
            $seconds,
            $owner,
            $server->packs ? fn (string $owner) => $this->lockConnection()->pack([$owner])[0] : null,
        );

        return $lock->renew($this->renew);
    }

    /** The metrics count a lock by its name: the whole key begins with the prefixes, which all locks have. */
    private static function group(string $name): array
    {
        return method_exists(RedisLock::class, 'metrics') ? ['metrics_group' => substr($name, 0, strcspn($name, ':0123456789'))] : [];
    }
}
