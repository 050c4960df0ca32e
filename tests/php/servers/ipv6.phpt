--TEST--
redis://[::1]:port
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (!@stream_socket_server('tcp://[::1]:0')) {
    die('skip needs IPv6 on the loopback interface');
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(['bind 127.0.0.1 ::1'], tcp: true);
$lock = new RedisLock('redis://[::1]:' . $server->port());
var_dump($lock->lock('x'));
?>
--EXPECT--
bool(true)
