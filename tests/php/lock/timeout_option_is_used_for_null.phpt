--TEST--
The option `timeout` is what lock() waits when it is given none, and $timeout goes over it
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
$redis = $server->client();
foreign_lock($redis, 'lock:x', 'theirs');
$lock = new RedisLock($server->dsn(), ['timeout' => slow(0.2)]);

took_between('the option, seconds', seconds(fn () => $lock->lock('x')), slow(0.1), 0.5);
took_between('null, seconds', seconds(fn () => $lock->lock('x', null)), slow(0.1), 0.5);
took_between('the argument, seconds', seconds(fn () => $lock->lock('x', 0)), 0, 0.15);
?>
--EXPECT--
the option, seconds: yes
null, seconds: yes
the argument, seconds: yes
