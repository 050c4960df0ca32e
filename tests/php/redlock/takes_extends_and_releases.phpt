--TEST--
A lock on five servers: each has it, extends it and releases it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(5);
$lock = new RedisLock($ring->dsns());
$other = new RedisLock($ring->dsns());

// Who is slower to log in than a majority is to answer goes without the first lock.
$all_have = fn ($name) => array_unique($ring->values("lock:$name")) === [$lock->token($name)];
wait_until(fn () => $lock->lock('warm') && [wait_until(fn () => $all_have('warm'), 0.1), $lock->unlock('warm')][0], 5.0);

var_dump($lock->lock('x'));
is_so('all have it', wait_until(fn () => $all_have('x'), 2.0), $ring->values('lock:x'));
var_dump($other->lock('x'), $other->isLocking('x'), $lock->isLocking('x'), $other->owner('x') === $lock->token('x'));
var_dump($lock->expire('x', 60.0));
is_between('remaining', $lock->remaining('x'), 58.0, 60.0);
var_dump($lock->unlock('x'), $lock->owner('x'), $lock->waiters('x'));
$ring->isClean();

var_dump($lock->lockAll(['a', 'b', 'c']), $other->lock('b'), $lock->unlockAll());
$ring->isClean();

var_dump($lock->synchronized('x', fn () => 'result'));
$ring->isClean();
?>
--EXPECT--
bool(true)
all have it: yes
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
remaining: yes
bool(true)
NULL
int(0)
nothing is left: yes
bool(true)
bool(false)
bool(true)
nothing is left: yes
string(6) "result"
nothing is left: yes
