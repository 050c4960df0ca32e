--TEST--
With the caller's token a repeat cannot tell the lost reply from another's lock: false, and nothing of ours stays
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

// Two objects with the same token: the second's reply is lost. It must not believe that the first's lock is its own.
$server = RedisServer::start();
$wire = new Wire($server);
$a = new RedisLock($server->dsn());
$b = new RedisLock($wire->dsn());
$b->lock('warm-up');
var_dump($a->lock('x', token: 'same'));

$wire->loseReply('EVALSHA');
var_dump($b->lock('x', token: 'same'));
var_dump($a->isLocking('x'));
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
