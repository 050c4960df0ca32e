--TEST--
After a repeated acquisition the fence is the one that Redis keeps
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
$lock = new RedisLock($wire->dsn(), ['fencing' => true]);
$lock->lock('warm-up');
$wire->loseReply('EVALSHA');
$lock->lock('x');
var_dump($lock->fence('x') === (int) $server->client()->cmd('GET', '{lock:x}:rl:fence'));
?>
--EXPECT--
bool(true)
