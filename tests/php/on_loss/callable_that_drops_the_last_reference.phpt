--TEST--
The function may unlock, or drop the last reference to the object
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
foreach (['unlock', 'unset'] as $what) {
    $told = false;
    $lock = new RedisLock($server->dsn(), ['expire' => lease(1.8), 'on_loss' => function ($name) use (&$lock, &$told, $what) {
        if ($what === 'unlock') {
            var_dump($lock->unlock($name), $lock->unlock($name));
        }
        $lock = null;
        $told = true;
    }]);
    $lock->lockAll(['a', 'b']);
    compute_until(function () use (&$told) {
        return $told;
    });
    compute(0.2);
    echo "$what: ";
    var_dump($lock, all_keys($redis));
}
?>
--EXPECT--
bool(true)
bool(false)
unlock: NULL
array(0) {
}
unset: NULL
array(0) {
}
