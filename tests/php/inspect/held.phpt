--TEST--
held() lists names and the seconds of lease left
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

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());

var_dump($lock->held());
$lock->lock('x', expire: 10);
$lock->lock('y', expire: 20);
$held = $lock->held();
var_dump(array_keys($held));
is_between('x', $held['x'], 8, 10);
is_between('y', $held['y'], 17, 20);
$lock->unlock('x');
var_dump(array_keys($lock->held()));
?>
--EXPECT--
array(0) {
}
array(2) {
  [0]=>
  string(1) "x"
  [1]=>
  string(1) "y"
}
x: yes
y: yes
array(1) {
  [0]=>
  string(1) "y"
}
