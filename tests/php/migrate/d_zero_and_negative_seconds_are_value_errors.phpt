--TEST--
Row D: expire($name, 0) was one second, a lease of 0 and a negative wait were taken; all are a ValueError now
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);

thrown(fn () => $lock->lock('x', 0, 0));
thrown(fn () => $lock->lock('x', 0, -1));
thrown(fn () => $lock->lock('x', -1));
is_so('nothing is locked', all_keys($redis) === [], all_keys($redis));

$lock->lock('x');
thrown(fn () => $lock->expire('x', 0));
is_between('the lease stays as it was', $redis->cmd('PTTL', 'Lock:x'), 14000, 15000);
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #3 ($expire) must be %s
ValueError: RedisLock::lock(): Argument #2 ($timeout) must be %s
nothing is locked: yes
ValueError: RedisLock::expire(): Argument #2 ($expire) must be %s
the lease stays as it was: yes
