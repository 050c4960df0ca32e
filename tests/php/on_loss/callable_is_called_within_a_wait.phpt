--TEST--
While a wait for another lock lasts, the function is called, may use the object, and the wait goes on
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
    $lock->unlock($name); // a wait looks for notices once a second, so the lease may be over
    var_dump($name, array_keys($lock->held()));
}]);
$lock->lock('x');
var_dump($lock->lock('y', timeout: lease(20)));
var_dump(array_keys($lock->held()));
$lock = null;
?>
--EXPECT--
string(1) "x"
array(0) {
}
bool(true)
array(1) {
  [0]=>
  string(1) "y"
}
