--TEST--
Out of memory when a waiter wants to queue: OOM, no entry stays, and the holder's lock is as it was
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$waiter = new RedisLock($server->dsn());
$holder->lock('x');
$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);

took_between('seconds', seconds(function () use ($waiter) {
    echo outcome(fn () => $waiter->lock('x', timeout: 3)), "\n";
}), 0, 1);
echo 'without waiting: ', outcome(fn () => $waiter->lock('x')), "\n";
var_dump(our_keys($redis), $holder->isLocking('x'), $holder->unlock('x'), all_keys($redis));
?>
--EXPECT--
RedisLockServerException OOM
seconds: yes
without waiting: false
array(0) {
}
bool(true)
bool(true)
array(0) {
}
