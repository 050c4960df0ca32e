--TEST--
A signal handler waits for the name for which the object is waiting: both waits are served, one after the other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiter = Worker::start(<<<'PHP'
    $lock = new RedisLock($argv[1]);
    $other = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () use ($other) {
        echo "handler\n", json_encode($other->lock('x', 0.2)), "\n";
    });
    echo json_encode([$lock->lock('x', 10.0), $lock->unlock('x')]), "\n";
    PHP, [$server->dsn()]);
await_blocked($redis, 1);
$waiter->signal('USR1');
echo $waiter->readLine(), "\n";
echo $waiter->readLine(), "\n"; // false: it stood behind the object's own place
usleep(50000);
$holder->unlock('x');
echo $waiter->output();
print_r(all_keys($redis));
?>
--EXPECT--
handler
false
[true,true]
Array
(
)
