--TEST--
Signal handlers of PHP run while their process stands in line here, and it keeps its place
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
$waiter = $machine->run(<<<'PHP'
    $lock = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () use ($lock) {
        echo "handled, ", json_encode([$lock->lock('y'), $lock->unlock('y')]), "\n";
    });
    echo "ready\n";
    fgets(STDIN);
    echo json_encode([$lock->lock('x', 20.0), $lock->isLocking('x'), $lock->unlock('x')]), "\n";
    PHP);
$workers[0]->call('lock', 'x');
$waiter->readLine();
$waiter->tell('go');
$machine->awaitWaiting(1);
$machine->lineUp([$workers[1]], 'x', PATIENCE);
$latest = [];
for ($i = 0; $i < 5; $i++) {
    $sent = now();
    $waiter->signal('USR1');
    echo $waiter->readLine(), "\n";
    $latest[] = (now() - $sent) * 1000;
}
ms_between('ms until it ran, median', median($latest), 0, 30, count($latest));
var_dump($machine->waiting(), $workers[0]->call('unlock', 'x'));
echo $waiter->output();
check_turns([$workers[1]]);
is_so('it was passed on', passed_on($workers) === 1, passed_on($workers));
print_r(all_keys($redis));
?>
--EXPECT--
handled, [true,true]
handled, [true,true]
handled, [true,true]
handled, [true,true]
handled, [true,true]
ms until it ran, median: yes
int(2)
bool(true)
[true,true,true]
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
it was passed on: yes
Array
(
)
