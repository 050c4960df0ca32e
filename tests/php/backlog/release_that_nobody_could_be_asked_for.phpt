--TEST--
The server's environment variable is gone at the release: the lock is not held, a warning tells of it, and a loss is seen
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
$lock = new RedisLock('env:LOCK_SERVER', ['expire' => 60]);

function set(): void
{
    putenv('LOCK_SERVER=' . $GLOBALS['server']->dsn());
}

function without(callable $act): void
{
    putenv('LOCK_SERVER');
    thrown($act);
    set();
}

set();
echo "unlock\n";
$lock->lock('kept');
$lock->lock('lost');
$lock->lock('short', expire: slow(0.2));
foreach (['kept', 'lost', 'short'] as $name) {
    without(fn () => $lock->unlock($name));
}
var_dump($lock->held());
$redis->cmd('DEL', 'lock:lost');
var_dump(wait_until(fn () => $redis->cmd('EXISTS', 'lock:short') === 0));
var_dump($lock->unlock('kept'), $lock->unlock('lost'), $lock->unlock('short'));

echo "unlockAll\n";
$lock->lock('kept');
$lock->lock('lost');
without(fn () => $lock->unlockAll());
var_dump($lock->held());
$redis->cmd('DEL', 'lock:lost');
var_dump($lock->unlockAll(), all_keys($redis));

echo "once\n";
$built = function () {
    putenv('LOCK_SERVER');
    return 'built';
};
var_dump($lock->once('k', fn () => null, $built));
?>
--EXPECTF--
unlock
RedisLockConnectionException: env:LOCK_SERVER: the environment variable is not set (lock "kept")
RedisLockConnectionException: env:LOCK_SERVER: the environment variable is not set (lock "lost")
RedisLockConnectionException: env:LOCK_SERVER: the environment variable is not set (lock "short")
array(0) {
}
bool(true)
bool(true)
bool(false)
bool(true)
unlockAll
RedisLockConnectionException: env:LOCK_SERVER: the environment variable is not set
array(0) {
}
bool(false)
array(0) {
}
once

Warning: RedisLock::once(): RedisLock could not release a lock; Redis may keep it for another %d.%d s: env:LOCK_SERVER: the environment variable is not set (lock "k") in %s on line %d
string(5) "built"
