--TEST--
A lock that another worker of the machine has is refused at once, by one request, to whoever does not wait
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(3);
$machine->warmUp($workers);
[$holder, $waiter, $asks] = $workers;
$holder->call('lock', 'x');
$machine->lineUp([$waiter], 'x', PATIENCE);
$requests = scripts_run($redis, function () use ($asks) {
    $asks->begin('lock', 'x', 0.0);
    $answer = $asks->answer();
    var_dump($answer['result']);
    ms_between('ms', 1000 * ($answer['ended'] - $answer['began']), 0, 50);
});
var_dump($requests, $machine->waiting());
// Nobody has it here: it is taken at once.
var_dump($asks->call('lock', 'another', 0.0), $asks->call('unlock', 'another'), $holder->call('unlock', 'x'));
check_turns([$waiter]);
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
ms: yes
int(1)
int(1)
bool(true)
bool(true)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
