--TEST--
remaining() is on the safe side: the lease less 1 % and 2 ms for the drift of clocks
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

$lock->lock('x', expire: 100);
is_between('remaining', $lock->remaining('x'), 90, 100 - 1 - 0.002);
var_dump($lock->remaining('other'));
?>
--EXPECT--
remaining: yes
float(0)
