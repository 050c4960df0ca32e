--TEST--
Workers that are killed in line here are passed over at once
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

$workers = $machine->workers(6);
$machine->warmUp($workers);
$holder = $workers[0];
$holder->call('lock', 'x');
$machine->lineUp(array_slice($workers, 1), 'x', PATIENCE);
foreach ([1, 3, 4] as $i) {
    $workers[$i]->worker->kill();
}
$began = now();
var_dump($holder->call('unlock', 'x'));
$answers = check_turns([$workers[2], $workers[5]]);
took_between('seconds until the first one of the others had it', $answers[0]['result']['from'] - $began, 0, 0.5);
took_between('seconds until the last one had it', $answers[1]['result']['from'] - $began, 0, 1);
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds until the first one of the others had it: yes
seconds until the last one had it: yes
Array
(
)
