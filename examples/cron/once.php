<?php
declare(strict_types=1);

/**
 * Runs $work once for each $name, on whichever host comes first. True: it was done here, and now.
 *
 * $atMost is longer than $work ever takes: a host that dies in it is replaced at the first tick after that time.
 * $remember is longer than the hosts' clocks may differ, and than the ticks that ask for this $name go on.
 *
 * @param RedisLock $guard with the option auto_release false: what is done stays locked when the process ends
 */
function once(RedisLock $guard, string $name, callable $work, float $atMost = 600, float $remember = 86400): bool
{
    if (!$guard->lock($name, timeout: 0, expire: $atMost)) {
        return false;                               // another host is at it, or has done it
    }
    try {
        $work();
    } catch (Throwable $e) {
        $guard->unlock($name);                      // the next tick tries again, on any host
        throw $e;
    }
    if (!$guard->expire($name, $remember)) {
        error_log("$name took longer than $atMost s: another host may have done it too");
    }
    return true;
}

/** Runs $work unless it still runs somewhere. False: it does. */
function alone(RedisLock $lock, string $name, callable $work, float $atMost = 600): bool
{
    try {
        $lock->synchronized($name, $work, timeout: 0, expire: $atMost);
    } catch (RedisLockTimeoutException) {
        return false;
    } catch (RedisLockLostException) {
        error_log("$name took longer than $atMost s: another host may have begun it too");
    }
    return true;
}
