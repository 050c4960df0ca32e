--TEST--
Options that hold references are copied
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
$prefix = 'a:';
$options = ['prefix' => &$prefix];
$lock = new RedisLock($server->dsn(), $options);
$prefix = 'b:';
$lock->lock('x');
print_r(all_keys($server->client()));
?>
--EXPECT--
Array
(
    [0] => a:x
)
