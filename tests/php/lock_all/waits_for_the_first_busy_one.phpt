--TEST--
lockAll() waits in line for the first that is held, keeps those before it, and is woken by the release
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
$lock->lockAll(['b', 'd']);
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lockAll(["d", "c", "b", "a"], timeout: 20));
    echo implode(" ", array_keys($lock->held())), "\n";
    fgets(STDIN);
    var_dump($lock->unlockAll());
', [$server->dsn()]);

is_so('it waits for b', wait_until(fn () => $lock->waiters('b') === 1));
echo implode(' ', preg_grep('/rl/', all_keys($redis), PREG_GREP_INVERT)), "\n";
$lock->unlock('b');
is_so('it waits for d', wait_until(fn () => $lock->waiters('d') === 1));
echo implode(' ', preg_grep('/rl/', all_keys($redis), PREG_GREP_INVERT)), "\n";
$lock->unlock('d');
echo $waiter->readLine(), "\n", $waiter->readLine(), "\n";
$waiter->tell('go on');
echo $waiter->readLine(), "\n";
$waiter->wait();
var_dump(all_keys($redis));
?>
--EXPECT--
it waits for b: yes
lock:a lock:b lock:d
it waits for d: yes
lock:a lock:b lock:c lock:d
bool(true)
a b c d
bool(true)
array(0) {
}
