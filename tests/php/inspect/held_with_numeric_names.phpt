--TEST--
Names that look like numbers are held like others
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
$lock = new RedisLock($server->dsn());

var_dump($lock->lock('4711'), $lock->lock('-1'), $lock->lock('007'));
var_dump(array_map('strval', array_keys($lock->held())));
var_dump($lock->remaining('4711') > 0, $lock->unlock('4711'), $lock->unlockAll(), all_keys($server->client()));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
array(3) {
  [0]=>
  string(4) "4711"
  [1]=>
  string(2) "-1"
  [2]=>
  string(3) "007"
}
bool(true)
bool(true)
bool(true)
array(0) {
}
