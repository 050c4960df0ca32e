<?php
declare(strict_types=1);

/*
 * One small class for each lock that PHP can use: the same two calls for all of them. A lease is 30 s everywhere, except
 * where a class knows no other than its own.
 */

namespace Bench;

use Bench\Peers\NamedLock;
use Bench\Peers\RequestIdLock;
use Bench\Peers\TokenLock;

const LEASE = 30;

interface Adapter
{
    /** Waits for the lock, $patience seconds at most. */
    public function lock(string $name, int $patience): bool;

    public function unlock(string $name): bool;

    /** @param string[] $names all that are held */
    public function unlockAll(array $names): bool;
}

/** Releases one after the other, where the peer knows no better. */
trait OneByOne
{
    public function unlockAll(array $names): bool
    {
        $all = true;
        foreach ($names as $name) {
            $all = $this->unlock($name) && $all;
        }
        return $all;
    }
}

/** @return array{string, int} path and 0 of unix:///path, host and port of redis://host:port */
function address(string $server): array
{
    if (str_starts_with($server, 'unix://')) {
        return [substr($server, strlen('unix://')), 0];
    }
    $url = parse_url($server);
    return [$url['host'], $url['port']];
}

function phpredis(string $server, string $class = \Redis::class, float $timeout = 0.0): \Redis
{
    $redis = new $class();
    [$host, $port] = address($server);
    $redis->connect($host, $port, $timeout);
    if ($timeout > 0) {
        $redis->setOption(\Redis::OPT_READ_TIMEOUT, $timeout);
    }
    return $redis;
}

final class Ours implements Adapter
{
    private \RedisLock $lock;
    private readonly bool $several;

    /**
     * @param bool $waits false: lock($name), which asks once
     * @param array<string, mixed> $options that a build of before may not know
     */
    public function __construct(array $servers, private readonly bool $waits, array $options = [])
    {
        $this->several = count($servers) > 1;
        $this->lock = new \RedisLock($this->several ? $servers : $servers[0], ['expire' => LEASE] + $options);
    }

    public function lock(string $name, int $patience): bool
    {
        if ($this->several) {
            return $this->lockSeveral($name, $patience);
        }
        return $this->waits ? $this->lock->lock($name, $patience) : $this->lock->lock($name);
    }

    /** Where too few answer in time, the others try again of themselves. */
    private function lockSeveral(string $name, int $patience): bool
    {
        $end = microtime(true) + $patience;
        do {
            try {
                return $this->lock->lock($name, $patience);
            } catch (\RedisLockConnectionException $e) {
            }
        } while (microtime(true) < $end);
        throw $e;
    }

    public function unlock(string $name): bool
    {
        return $this->lock->unlock($name);
    }

    public function unlockAll(array $names): bool
    {
        return $this->lock->unlockAll();
    }
}

/** The locks of a framework, each an object that knows its release. */
abstract class Framework implements Adapter
{
    use OneByOne;

    /** @var array<string, object> */
    private array $locks = [];

    /** Null: it was not had in time. */
    abstract protected function take(string $name, int $patience): ?object;

    public function lock(string $name, int $patience): bool
    {
        $lock = $this->take($name, $patience);
        if ($lock === null) {
            return false;
        }
        $this->locks[$name] = $lock;
        return true;
    }

    public function unlock(string $name): bool
    {
        $released = $this->locks[$name]->release() ?? true; // Symfony's returns nothing
        unset($this->locks[$name]);
        return (bool) $released;
    }
}

final class ClassA implements Adapter
{
    use OneByOne;

    private RequestIdLock $lock;

    public function __construct(array $servers)
    {
        $this->lock = new RequestIdLock(phpredis($servers[0]));
    }

    public function lock(string $name, int $patience): bool
    {
        return $this->lock->lock($name, RequestIdLock::BLOCKED);
    }

    public function unlock(string $name): bool
    {
        return $this->lock->unlock($name);
    }
}

final class ClassB implements Adapter
{
    use OneByOne;

    private TokenLock $lock;
    /** @var array<string, string> */
    private array $ids = [];

    public function __construct(array $servers)
    {
        $this->lock = phpredis($servers[0], TokenLock::class);
    }

    public function lock(string $name, int $patience): bool
    {
        $id = $this->lock->take($name, min($patience, LEASE)); // the wait and the lease are one
        if ($id === false) {
            return false;
        }
        $this->ids[$name] = $id;
        return true;
    }

    public function unlock(string $name): bool
    {
        $released = $this->lock->release($name, $this->ids[$name]);
        unset($this->ids[$name]);
        return $released;
    }
}

final class ClassD implements Adapter
{
    private NamedLock $lock;

    public function __construct(array $servers)
    {
        $this->lock = new NamedLock(phpredis($servers[0]));
    }

    public function lock(string $name, int $patience): bool
    {
        return $this->lock->lock($name, $patience, LEASE);
    }

    public function unlock(string $name): bool
    {
        return $this->lock->unlock($name);
    }

    public function unlockAll(array $names): bool
    {
        return $this->lock->unlockAll();
    }
}

/** What `Cache::lock($name, 30)` of an application with a Redis cache store is, without the rest of the application. */
final class Laravel extends Framework
{
    public function __construct(private readonly \Illuminate\Cache\RedisStore $store)
    {
    }

    public static function own(array $servers, string $client): self
    {
        return new self(new \Illuminate\Cache\RedisStore(self::redis(new \Illuminate\Container\Container(), $servers, $client), 'cache:'));
    }

    /** The same with the bridge's store. */
    public static function bridged(array $servers, bool $local): self
    {
        $app = new \Illuminate\Container\Container();
        $app->instance('config', new \Illuminate\Config\Repository(['redislock' => ['local' => $local]]));
        $locks = new \Redislock\Laravel\Connections\LockServers($app);
        return new self(new \Redislock\Laravel\Cache\RedisLockStore($locks, self::redis($app, $servers, 'predis'), 'cache:'));
    }

    private static function redis(\Illuminate\Container\Container $app, array $servers, string $client): \Illuminate\Redis\RedisManager
    {
        [$host, $port] = address($servers[0]);
        $config = $client === 'predis' && $port === 0 ? ['scheme' => 'unix', 'path' => $host] : ['host' => $host, 'port' => $port];
        return new \Illuminate\Redis\RedisManager($app, $client, ['default' => $config]);
    }

    protected function take(string $name, int $patience): ?object
    {
        $lock = $this->store->lock($name, LEASE);
        try {
            $lock->block($patience);
        } catch (\Illuminate\Contracts\Cache\LockTimeoutException) {
            return null;
        }
        return $lock;
    }
}

/** One server: RedisStore. Several: their majority, by CombinedStore, each with a time limit of 50 ms. */
final class Symfony extends Framework
{
    private \Symfony\Component\Lock\LockFactory $factory;

    public function __construct(\Symfony\Component\Lock\PersistingStoreInterface $store)
    {
        $this->factory = new \Symfony\Component\Lock\LockFactory($store);
    }

    public static function own(array $servers): self
    {
        $several = count($servers) > 1;
        $stores = array_map(
            fn ($server) => new \Symfony\Component\Lock\Store\RedisStore(phpredis($server, timeout: $several ? 0.05 : 0.0), LEASE),
            $servers,
        );
        return new self($several
            ? new \Symfony\Component\Lock\Store\CombinedStore($stores, new \Symfony\Component\Lock\Strategy\ConsensusStrategy())
            : $stores[0]);
    }

    /** The same with the bridge's store. */
    public static function bridged(array $servers, bool $local): self
    {
        $options = http_build_query(['local' => (int) $local, 'initial_ttl' => LEASE]);
        return new self(\Redislock\Symfony\StoreFactory::createStore("redislock+$servers[0]?$options"));
    }

    /** It knows no longest wait. */
    protected function take(string $name, int $patience): ?object
    {
        $lock = $this->factory->createLock($name, LEASE);
        return $lock->acquire(true) ? $lock : null;
    }
}

/** For the flash sale, to show what the lock is for. */
final class NoLock implements Adapter
{
    use OneByOne;

    public function __construct(array $servers)
    {
    }

    public function lock(string $name, int $patience): bool
    {
        return true;
    }

    public function unlock(string $name): bool
    {
        return true;
    }
}

/** @param string[] $servers */
function adapter(string $peer, array $servers): Adapter
{
    foreach (['RequestIdLock' => 'a', 'TokenLock' => 'b', 'NamedLock' => 'd'] as $file => $its) {
        if ($peer === "class-$its") {
            require_once __DIR__ . "/peers/$file.php";
        }
    }
    if (preg_match('/^(laravel|symfony)/', $peer) === 1) {
        require_once getenv('BENCH_VENDOR') . '/autoload.php';
    }
    return match ($peer) {
        'none' => new NoLock($servers),
        'ours', 'before' => new Ours($servers, true),
        'ours-local' => new Ours($servers, true, ['local' => true]),
        'ours-once', 'ours-uncounted', 'before-once' => new Ours($servers, false),
        'ours-renewed' => new Ours($servers, false, ['renew' => true]),
        'ours-unnamed' => new Ours($servers, false, ['owner' => '']),
        'class-a' => new ClassA($servers),
        'class-b' => new ClassB($servers),
        'class-d' => new ClassD($servers),
        'laravel-phpredis' => Laravel::own($servers, 'phpredis'),
        'laravel-predis' => Laravel::own($servers, 'predis'),
        'laravel-bridge', 'laravel-bridge-local' => Laravel::bridged($servers, str_ends_with($peer, 'local')),
        'symfony' => Symfony::own($servers),
        'symfony-bridge', 'symfony-bridge-local' => Symfony::bridged($servers, str_ends_with($peer, 'local')),
    };
}
