--TEST--
The release with the object hands over to a waiter
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
$watch = new RedisLock($server->dsn());
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", timeout: 10));
    printf("%.6f\n", microtime(true));
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $watch->waiters('x') === 1));
$released = microtime(true);
unset($holder);
echo $waiter->readLine(), "\n";
took_between('seconds until it had the lock', (float) $waiter->readLine() - $released, 0, 0.1);
?>
--EXPECT--
it waits: yes
bool(true)
seconds until it had the lock: yes
