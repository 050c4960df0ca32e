--TEST--
The function may drop its reference to the object while that waits for another lock
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
$other = new RedisLock($server->dsn());
$other->lock('y', expire: lease(3));
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => function ($name) use (&$lock) {
    echo "$name\n";
    $lock = null;
}]);
$lock->lockAll(['a', 'x']);
var_dump($lock->lock('y', timeout: lease(20)));
var_dump($lock, all_keys($redis));
?>
--EXPECTF--
%c
%c
bool(true)
NULL
array(0) {
}
