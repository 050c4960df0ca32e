--TEST--
The time limit strikes while a worker stands in line here: PHP's fatal error ends the wait, and the next one is passed the lock
--DESCRIPTION--
Leaves memory to PHP's allocator.
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
    require $argv[2];
    set_time_limit(1);
    $lock = new RedisLock($argv[1]);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () {
        echo "busy\n";
        strike_time_limit();
    });
    register_shutdown_function(function () {
        echo "shutdown\n";
    });
    $lock->lock('x', 20.0);
    echo "NOT REACHED\n";
    PHP, [__DIR__ . '/../inc/check.inc']);
$machine->awaitWaiting(1);
$machine->lineUp([$workers[1]], 'x', PATIENCE);
$waiter->signal('USR1');
echo preg_replace('/ in .*/', '', $waiter->output());
$machine->awaitWaiting(1);
var_dump($workers[0]->call('unlock', 'x'));
check_turns([$workers[1]]);
is_so('it was passed on', passed_on($workers) === 1);
print_r(all_keys($redis));
?>
--EXPECT--
busy

Fatal error: Maximum execution time of 1 second exceeded
shutdown
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
it was passed on: yes
Array
(
)
