--TEST--
With the caller's token a repeat cannot tell its lost try from another's lock: that is an exception
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
try {
    var_dump($b->lock('x', token: 'same'));
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}
var_dump($a->isLocking('x'));
?>
--EXPECTF--
bool(true)
unix://%s: a reply was lost: whether the token that is there is from this call is unknown (lock "x")
bool(true)
