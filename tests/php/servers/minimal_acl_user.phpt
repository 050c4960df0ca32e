--TEST--
A user with no more rights than the commands that are used
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start(['user worker on >w0rk ' . implode(' ', minimal_rights())]);
$lock = new RedisLock($server->dsn(), ['username' => 'worker', 'password' => 'w0rk', 'fencing' => true]);
$other = new RedisLock($server->dsn(), ['username' => 'worker', 'password' => 'w0rk']);

var_dump($lock->lock('x'), $lock->expire('x', 10), $lock->expire('x', INF), $lock->isLocking('x'), $lock->waiters('x'));
var_dump($other->lock('x'), $other->lock('x', timeout: 0.1), $other->unlock('x'), $lock->owner('x') === $lock->token('x'));
var_dump($lock->unlock('x'), $lock->forceUnlock('x'), $lock->lock('x'), $lock->unlockAll());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
bool(false)
bool(false)
bool(false)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
