--TEST--
The trap: (new RedisLock)->lock('x') is released before the next line; with auto_release false it stays
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
$redis = $server->client();

var_dump((new RedisLock($server->dsn()))->lock('x'), all_keys($redis));
var_dump((new RedisLock($server->dsn(), ['auto_release' => false]))->lock('x'), all_keys($redis));
?>
--EXPECT--
bool(true)
array(0) {
}
bool(true)
array(1) {
  [0]=>
  string(6) "lock:x"
}
