--TEST--
unlock() again after it threw: true if it was still ours, whether the first one arrived or not
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['read_timeout' => slow(0.2), 'connect_timeout' => slow(0.2)]);
$redis = $server->client();

echo "it arrived, its answer did not\n";
$lock->lock('x', expire: 60);
$wire->silence();
thrown(fn () => $lock->unlock('x'));
$wire->heal();
var_dump(wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0), $lock->unlock('x'), $lock->unlock('x'));

echo "it did not arrive\n";
$lock->lock('y', expire: 60);
$server->pause();
$wire->cutAll();
thrown(fn () => $lock->unlock('y'));
$server->resume();
var_dump($lock->unlock('y'), $redis->cmd('EXISTS', 'lock:y'), RedisLock::stats()['lost']);
?>
--EXPECTF--
it arrived, its answer did not
RedisLockConnectionException: %s
bool(true)
bool(true)
bool(false)
it did not arrive
RedisLockConnectionException: %s
bool(true)
int(0)
int(0)
