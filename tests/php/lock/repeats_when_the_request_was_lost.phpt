--TEST--
A connection that the server closed while it was idle costs nothing but a repeat
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('warm-up');

$wire->loseRequest('EVALSHA');
var_dump($lock->lock('x'));
$wire->cutAll();
var_dump($lock->unlock('x'));
print_r(array_keys($lock->held()));
?>
--EXPECT--
bool(true)
bool(true)
Array
(
    [0] => warm-up
)
