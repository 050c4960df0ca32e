--TEST--
A signal handler locks and unlocks another name, waits for a third, with the object that is waiting
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
foreach ([true, false] as $persistent) {
    $holder = new RedisLock($server->dsn());
    $holder->lock('x');
    $holder->lock('held');
    $waiter = Worker::start(<<<'PHP'
        $lock = new RedisLock($argv[1], ['persistent' => (bool) $argv[2]]);
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, function () use ($lock) {
            $did = [$lock->lock('y'), $lock->isLocking('y'), $lock->lock('held', 0.05), $lock->expire('y', 20), $lock->waiters('x'), $lock->unlock('y'), $lock->lock('kept')];
            echo json_encode($did), "\n";
        });
        echo json_encode([$lock->lock('x', 10.0), $lock->isLocking('x'), $lock->unlock('x'), $lock->unlock('kept')]), "\n";
        PHP, [$server->dsn(), (int) $persistent]);
    await_blocked($redis, 1);
    $waiter->signal('USR1');
    echo $waiter->readLine(), "\n";
    is_so('its place is kept', blocked($redis) === 1 && $holder->waiters('x') === 1);
    $released = now();
    $holder->unlock('x');
    echo $waiter->output();
    ms_between('ms until it was through', (now() - $released) * 1000, 0, 500);
    $holder->unlock('held');
    print_r(all_keys($redis));
}
?>
--EXPECT--
[true,true,false,true,1,true,true]
its place is kept: yes
[true,true,true,true]
ms until it was through: yes
Array
(
)
[true,true,false,true,1,true,true]
its place is kept: yes
[true,true,true,true]
ms until it was through: yes
Array
(
)
