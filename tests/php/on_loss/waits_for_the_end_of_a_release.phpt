--TEST--
PHP code that runs within a release, here what makes a name of an object, is not broken off: by whichever method, and in a class that inherits it. Within another method it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

class Inherits extends RedisLock
{
}

/** A name that takes longer than the lease of another lock. */
class SlowName
{
    public function __toString(): string
    {
        echo '  ', compute(lease(1.2)), "\n";
        return 'y';
    }
}

$server = RedisServer::start();
$lost = new RedisLock($server->dsn(), ['expire' => lease(1), 'on_loss' => 'throw']);
$calls = [[RedisLock::class, 'unlock'], [RedisLock::class, 'forceUnlock'], [RedisLock::class, 'detach'], [Inherits::class, 'unlock'], [RedisLock::class, 'isLocking']];
foreach ($calls as [$class, $method]) {
    $lock = new $class($server->dsn(), ['expire' => 60]);
    $lock->lock('y');
    echo "$class::$method\n";
    thrown(function () use ($lock, $method, $lost) {
        $lost->lock('x');
        $lock->$method(new SlowName());
        return compute(LONG);
    });
    $lost->unlockAll();
    $lock->forceUnlock('y');
}
?>
--EXPECTF--
RedisLock::unlock
  computed to the end
RedisLockLostException: %s (lock "x")
RedisLock::forceUnlock
  computed to the end
RedisLockLostException: %s (lock "x")
RedisLock::detach
  computed to the end
RedisLockLostException: %s (lock "x")
Inherits::unlock
  computed to the end
RedisLockLostException: %s (lock "x")
RedisLock::isLocking
  RedisLockLostException: %s (lock "x")
