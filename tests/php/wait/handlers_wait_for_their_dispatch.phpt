--TEST--
With PHP's default signals, a handler is not called during a wait, but in pcntl_signal_dispatch() behind it
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
    pcntl_signal(SIGTERM, function () {
        echo "handled\n";
    });
    $lock = new RedisLock($argv[1]);
    echo $lock->lock('x', INF) ? "locked\n" : "not locked\n";
    pcntl_signal_dispatch();
    echo $lock->unlock('x') ? "unlocked\n" : "lost\n";
    PHP, [$server->dsn()]);
await_blocked($redis, 1);
$waiter->signal('TERM');
usleep(200_000);
is_so('it goes on waiting', blocked($redis) === 1 && $holder->waiters('x') === 1);
$holder->unlock('x');
echo $waiter->output();
?>
--EXPECT--
it goes on waiting: yes
locked
handled
unlocked
