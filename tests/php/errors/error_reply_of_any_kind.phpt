--TEST--
The code of an error reply is redisError
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('warm-up');
foreach (['LOADING Redis is loading', 'BUSY Redis is busy', 'MISCONF no disk', 'CLUSTERDOWN down', 'ERR a b c', 'odd'] as $error) {
    $wire->answer("-$error\r\n", 'EVALSHA');
    echo outcome(fn () => $lock->lock('x')), "\n";
}
var_dump($lock->lock('x'), $lock->unlock('x'));
?>
--EXPECT--
RedisLockServerException LOADING
RedisLockServerException BUSY
RedisLockServerException MISCONF
RedisLockServerException CLUSTERDOWN
RedisLockServerException ERR
RedisLockServerException ERR
bool(true)
bool(true)
