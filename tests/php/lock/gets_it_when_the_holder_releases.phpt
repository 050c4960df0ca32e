--TEST--
A waiter gets the lock within milliseconds of the release
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
$holder = new RedisLock($server->dsn());
$holder->lock('x');

$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", timeout: 10));
    printf("%.6f\n", microtime(true));
    var_dump($lock->unlock("x"));
', [$server->dsn()]);
$watch = new RedisLock($server->dsn());
is_so('it waits', wait_until(fn () => $watch->waiters('x') === 1));

$released = microtime(true);
var_dump($holder->unlock('x'));
echo 'waiter: ', $waiter->readLine(), "\n";
took_between('seconds until it had the lock', (float) $waiter->readLine() - $released, 0, 0.1);
echo 'waiter: ', $waiter->readLine(), "\n";
$waiter->wait();
print_r(all_keys($server->client()));
?>
--EXPECT--
it waits: yes
bool(true)
waiter: bool(true)
seconds until it had the lock: yes
waiter: bool(true)
Array
(
)
