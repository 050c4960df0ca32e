--TEST--
A section may detach its lock, to pass it to a job: it is neither released nor lost
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

$token = $lock->synchronized('x', fn () => $lock->detach('x'));
var_dump($server->client()->cmd('GET', 'lock:x') === $token);
?>
--EXPECT--
bool(true)
