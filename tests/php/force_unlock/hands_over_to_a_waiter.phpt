--TEST--
forceUnlock() hands the lock to a waiter, like a release
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
foreign_lock($redis, 'lock:x', 'theirs');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1], ["retry_interval" => 5.0]);
    var_dump($lock->lock("x", timeout: 20));
    printf("%.6f\n", microtime(true));
    var_dump($lock->unlock("x"));
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));

$forced = microtime(true);
var_dump($lock->forceUnlock('x'));
echo 'waiter: ', $waiter->readLine(), "\n";
took_between('seconds until it had the lock', (float) $waiter->readLine() - $forced, 0, 0.1);
echo 'waiter: ', $waiter->readLine(), "\n";
$waiter->wait();
var_dump(all_keys($redis));
?>
--EXPECT--
it waits: yes
bool(true)
waiter: bool(true)
seconds until it had the lock: yes
waiter: bool(true)
array(0) {
}
