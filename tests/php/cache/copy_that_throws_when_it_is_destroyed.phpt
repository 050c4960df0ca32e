--TEST--
remember(): a value whose copy throws when it is destroyed is returned with a warning, and nothing is kept
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

/** Throws when the copy that was unserialized last is destroyed. */
class Throws
{
    private static bool $copied = false;

    public function __wakeup()
    {
        self::$copied = true;
    }

    public function __destruct()
    {
        if (self::$copied) {
            self::$copied = false;
            throw new LogicException('not so soon');
        }
    }
}

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$value = new Throws();
is_so('the value', $lock->remember('k', fn () => $value, 60, allowedClasses: ['Throws']) === $value);
var_dump(all_keys($redis), $lock->held());
?>
--EXPECTF--
Warning: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal: not so soon (lock "k") in %s on line %d
the value: yes
array(0) {
}
array(0) {
}
