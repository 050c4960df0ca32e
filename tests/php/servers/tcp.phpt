--TEST--
redis://host:port and tcp://host:port
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(tcp: true);
foreach (['redis', 'tcp'] as $scheme) {
    $lock = new RedisLock("$scheme://127.0.0.1:" . $server->port());
    var_dump($lock->lock('x'), $lock->unlock('x'));
}
$lock = new RedisLock('redis://127.0.0.1:' . $server->port() . '/');
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
