--TEST--
remaining() runs down by the local clock, and is 0.0 when the lease is over
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

$lock->lock('x', expire: 1.0);
$first = $lock->remaining('x');
usleep(20000);
is_so('less than before', $lock->remaining('x') <= $first - 0.019, [$first, $lock->remaining('x')]);
is_so('0.0 at its end', wait_until(fn () => $lock->remaining('x') === 0.0, 5));
?>
--EXPECT--
less than before: yes
0.0 at its end: yes
