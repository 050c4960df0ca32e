--TEST--
One object holds many names, each a lock of its own
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$a = new RedisLock($server->dsn());
$b = new RedisLock($server->dsn());

var_dump($a->lock('x'), $a->lock('y'), $a->unlock('x'), $b->lock('x'), $b->lock('y'));
var_dump(array_keys($a->held()), array_keys($b->held()));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
array(1) {
  [0]=>
  string(1) "y"
}
array(1) {
  [0]=>
  string(1) "x"
}
