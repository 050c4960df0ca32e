--TEST--
A lock that is held across the switches of generators and fibers
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
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$fiber = new Fiber(function () use ($lock) {
    return $lock->synchronized('x', function () use ($lock) {
        Fiber::suspend($lock->isLocking('x'));
        return 'done';
    });
});
var_dump($fiber->start(), $lock->lock('y'), $redis->cmd('EXISTS', 'lock:x'));
$fiber->resume();
var_dump($fiber->getReturn(), $redis->cmd('EXISTS', 'lock:x'));

$fiber = new Fiber(fn () => $lock->synchronized('z', fn () => Fiber::suspend()));
$fiber->start();
unset($fiber); // never resumed: its stack is unwound
var_dump($redis->cmd('EXISTS', 'lock:z'));
?>
--EXPECT--
bool(true)
bool(true)
int(1)
string(4) "done"
int(0)
int(0)
