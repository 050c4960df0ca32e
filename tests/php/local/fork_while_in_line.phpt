--TEST--
A signal handler that forks while its process stands in line here: the parent keeps its place, the child has an exception and can take its own
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

$workers = $machine->workers(2);
$workers[0]->call('lock', 'x');
$waiter = $machine->run(<<<'PHP'
    $lock = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    $child = null;
    pcntl_signal(SIGUSR1, function () use (&$child) {
        $child = pcntl_fork();
    });
    try {
        $got = $lock->lock('x', 20.0);
        pcntl_waitpid($child, $status);
        echo 'parent: ', json_encode([$got, $lock->isLocking('x'), $lock->unlock('x')]), "\n";
    } catch (RedisLockException $e) {
        echo $child === 0 ? 'child: ' : 'PARENT: ', $e->getMessage(), "\n";
        echo json_encode([$lock->held(), $lock->lock('x'), $lock->lock('y'), $lock->unlock('y')]), "\n";
    }
    PHP);
$machine->awaitWaiting(1);
$machine->lineUp([$workers[1]], 'x', PATIENCE);
$waiter->signal('USR1');
echo $waiter->readLine(), "\n", $waiter->readLine(), "\n";
usleep(100000); // the child ends
$machine->awaitWaiting(2);
var_dump($workers[0]->call('unlock', 'x'));
echo $waiter->output();
check_turns([$workers[1]]);
is_so('it was passed on', passed_on($workers) === 1);
print_r(all_keys($redis));
?>
--EXPECT--
child: a signal handler forked during this call; only the parent goes on with it
[[],false,true,true]
bool(true)
parent: [true,true,true]
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
it was passed on: yes
Array
(
)
