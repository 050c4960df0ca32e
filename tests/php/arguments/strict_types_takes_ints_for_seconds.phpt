--TEST--
Seconds may be ints under strict_types
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
declare(strict_types=1);

require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['expire' => 5]);
var_dump($lock->lock('x', 0, 5), $lock->expire('x', 10), $lock->synchronized('y', fn () => true, 1, 2));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
