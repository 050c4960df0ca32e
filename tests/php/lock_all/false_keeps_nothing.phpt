--TEST--
lockAll() that is not had in time keeps nothing, and hands on what it had to those who wait for it
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
$lock->lock('b');
$worker = Worker::start('
    $lock = new RedisLock($argv[1]);
    $began = microtime(true);
    var_dump($lock->lockAll(["c", "b", "a"], timeout: 1), $lock->held());
    echo round(microtime(true) - $began, 1), "\n";
    fgets(STDIN);
', [$server->dsn()]);
is_so('it waits for b', wait_until(fn () => $lock->waiters('b') === 1));
var_dump($lock->lock('a', 10)); // which it has, until it gives up
echo $worker->readLine(), ' ', $worker->readLine(), ' ', $worker->readLine(), "\n";
took_between('s', (float) $worker->readLine(), 0.9, 1.2);
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECT--
it waits for b: yes
bool(true)
bool(false) array(0) { }
s: yes
lock:a lock:b
