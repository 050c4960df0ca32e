--TEST--
A server that was restarted while the connection was idle: the next call goes over a new one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start(tcp: true);
foreach ([$server->dsn(), $server->tcpDsn()] as $dsn) {
    $lock = new RedisLock($dsn);
    $other = new RedisLock($dsn);
    $lock->lock('x');
    $server->restart();
    // It has forgotten all.
    var_dump($lock->isLocking('x'), $lock->unlock('x'), $other->lock('x'), $lock->owner('x') === $other->token('x'), $other->unlock('x'));
}
?>
--EXPECT--
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
