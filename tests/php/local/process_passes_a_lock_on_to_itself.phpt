--TEST--
A signal handler releases a lock for which another object of its process stands in line here: that one has it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());
$worker = $machine->run(<<<'PHP'
    $holder = new RedisLock($argv[1]);
    $waiter = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () use ($holder) {
        echo json_encode($holder->unlock('x')), "\n";
    });
    echo json_encode($holder->lock('x')), "\n";
    echo json_encode([$waiter->lock('x', 0.2), $waiter->lock('x', 20.0), $waiter->isLocking('x'), $holder->isLocking('x'), $waiter->unlock('x')]), "\n";
    echo RedisLock::stats()['passed_on'], "\n";
    PHP);
echo $worker->readLine(), "\n";
usleep(300000);
$machine->awaitWaiting(1);
$worker->signal('USR1');
echo $worker->output();
print_r(all_keys($redis));
?>
--EXPECT--
true
true
[false,true,true,false,true]
1
Array
(
)
