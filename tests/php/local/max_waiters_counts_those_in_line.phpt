--TEST--
max_waiters counts those that stand in line here: the next one is refused at once, without a request
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

$workers = $machine->workers(4, ['max_waiters' => 2]);
$machine->warmUp(array_slice($workers, 0, 2));
$workers[3]->call('turn', 'y', 0.0);
$workers[0]->call('lock', 'x');
$machine->lineUp([$workers[1], $workers[2]], 'x', PATIENCE);
$requests = scripts_run($redis, function () use ($workers) {
    $workers[3]->begin('lock', 'x', PATIENCE);
    $answer = $workers[3]->answer();
    var_dump($answer['result']);
    took_between('seconds', $answer['ended'] - $answer['began'], 0, 0.2);
});
var_dump($requests, $workers[0]->call('unlock', 'x'));
check_turns([$workers[1], $workers[2]]);
var_dump($workers[3]->call('lock', 'x', PATIENCE), $workers[3]->call('unlock', 'x'));
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
seconds: yes
int(0)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
bool(true)
Array
(
)
