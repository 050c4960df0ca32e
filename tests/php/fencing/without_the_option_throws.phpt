--TEST--
fence() without the option `fencing` throws, held or not
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

$lock->lock('x');
thrown(fn () => $lock->fence('x'));
thrown(fn () => $lock->fence('y'));
print_r(all_keys($server->client()));
?>
--EXPECTF--
RedisLockException: %sfencing%S
RedisLockException: %sfencing%S
Array
(
    [0] => lock:x
)
