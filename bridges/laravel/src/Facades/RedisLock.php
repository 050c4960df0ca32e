<?php

namespace Redislock\Laravel\Facades;

use Illuminate\Support\Facades\Facade;
use LogicException;
use Redislock\Laravel\Testing\FakeRedisLock;
use Redislock\Laravel\TransactionGuard;

/**
 * @method static bool lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null, ?bool $renew = null)
 * @method static bool lockAll(array $names, ?float $timeout = null, ?float $expire = null, ?bool $renew = null)
 * @method static bool unlock(string $name, ?string $token = null)
 * @method static bool expire(string $name, ?float $expire = null, ?string $token = null)
 * @method static bool unlockAll()
 * @method static bool isLocking(string $name)
 * @method static mixed synchronized(string $name, callable $section, ?float $timeout = null, ?float $expire = null, ?bool $renew = null)
 * @method static mixed remember(string $key, callable $rebuild, float $ttl, ?float $timeout = null, float $stale = 0.0, array $allowedClasses = [])
 * @method static mixed once(string $name, callable $read, callable $rebuild, ?float $timeout = null)
 * @method static bool forget(string $key)
 * @method static array held()
 * @method static float remaining(string $name)
 * @method static bool lost(string $name)
 * @method static void ensure(string $name, float $atLeast = 0.0)
 * @method static ?string token(string $name)
 * @method static ?int fence(string $name)
 * @method static ?string owner(string $name)
 * @method static ?array holder(string $name)
 * @method static int waiters(string $name)
 * @method static bool forceUnlock(string $name)
 * @method static bool attach(string $name, string $token, ?bool $renew = null)
 * @method static ?string detach(string $name)
 *
 * @see \RedisLock
 */
class RedisLock extends Facade
{
    /** What it stands for is scoped: kept here, it would outlive its request or job. */
    protected static $cached = false;

    /** Replaces it, also where it is injected, by one that needs no server and can be asked what was locked. */
    public static function fake(): FakeRedisLock
    {
        if (! extension_loaded('redislock')) {
            throw new LogicException('RedisLock::fake() needs the extension redislock: it extends its class.');
        }
        $fake = new FakeRedisLock((new TransactionGuard(static::$app))(...));
        static::swap($fake);
        static::$app->bind(static::getFacadeAccessor(), fn () => $fake); // also after the scope's end

        return $fake;
    }

    protected static function getFacadeAccessor()
    {
        return \RedisLock::class;
    }
}
