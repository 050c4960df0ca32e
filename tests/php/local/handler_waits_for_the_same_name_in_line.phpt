--TEST--
A signal handler that waits for the name for which its process stands in line here gives up at its own deadline, and the wait goes on
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
$holder = $machine->worker();
$holder->call('lock', 'x');
$waiter = $machine->run(<<<'PHP'
    $lock = new RedisLock($argv[1]);
    $other = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () use ($other) {
        echo "handler\n", json_encode($other->lock('x', 0.2)), "\n";
    });
    echo json_encode([$lock->lock('x', 20.0), $lock->unlock('x')]), "\n";
    PHP);
$machine->awaitWaiting(1);
$waiter->signal('USR1');
echo $waiter->readLine(), "\n";
echo $waiter->readLine(), "\n"; // false: it stood behind the object's own place
$machine->awaitWaiting(1);
var_dump($holder->call('unlock', 'x'));
echo $waiter->output();
is_so('it was passed on', passed_on([$holder]) === 1);
print_r(all_keys($redis));
?>
--EXPECT--
handler
false
bool(true)
[true,true]
it was passed on: yes
Array
(
)
