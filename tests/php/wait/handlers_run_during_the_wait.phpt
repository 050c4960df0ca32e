--TEST--
Signal handlers of PHP run during the wait, which goes on
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
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () {
        echo "handled\n";
    });
    var_dump($lock->lock('x', 10.0), $lock->isLocking('x'), $lock->unlock('x'));
    PHP, [$server->dsn()]);
await_blocked($redis, 1);
$latest = [];
for ($i = 0; $i < 9; $i++) {
    $sent = now();
    $waiter->signal('USR1');
    echo $waiter->readLine(), ' ';
    $latest[] = (now() - $sent) * 1000;
}
echo "\n";
ms_between('ms until it ran, median', median($latest), 0, 20, count($latest));
is_so('its place is kept', blocked($redis) === 1 && $holder->waiters('x') === 1);
$holder->unlock('x');
echo $waiter->output();
print_r(all_keys($redis));
?>
--EXPECT--
handled handled handled handled handled handled handled handled handled 
ms until it ran, median: yes
its place is kept: yes
bool(true)
bool(true)
bool(true)
Array
(
)
