--TEST--
A server without EVALSHA quotes its arguments in its error: the token is not in the exception
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

$server = RedisServer::start(['rename-command EVALSHA ""', 'rename-command EVAL ""']);
$lock = new RedisLock($server->dsn());
$e = thrown(fn () => $lock->lock('x', token: 's3cret-t0ken'));
var_dump($e->redisError);
has_no_secret('exception', shown($e), 's3cret-t0ken');
?>
--EXPECTF--
RedisLockServerException: %s
string(3) "ERR"
exception: no secret
