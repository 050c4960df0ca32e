--TEST--
Out of memory during the wait: the release hands over, and the waiter has the lock all the same
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('warm-up'); // a script that the server must first be given would be refused
$lock->unlock('warm-up');
$lock->lock('x');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", timeout: 10));
    var_dump($lock->expire("x", 20), $lock->unlock("x"));
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));
$lock->lock('y') && $lock->expire('y', 10) && $lock->unlock('y');

$redis->cmd('CONFIG', 'SET', 'maxmemory', 1);
var_dump($lock->unlock('x'));
echo $waiter->output();
var_dump(all_keys($redis));
?>
--EXPECT--
it waits: yes
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
