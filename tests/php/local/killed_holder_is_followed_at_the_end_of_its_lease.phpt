--TEST--
The next worker in line here has the lock of a killed one when the lease is over, also of one that it was passed on to
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

$lease = slow(1.0);
foreach ([0, 1] as $passes) {
    $workers = $machine->workers(4);
    $machine->warmUp($workers);
    $workers[0]->call('lock', 'x', 0.0, $lease);
    $taken = now();
    $machine->lineUpFor(array_slice($workers, 1, $passes), 'lock', 'x', PATIENCE, $lease);
    $machine->lineUp(array_slice($workers, 1 + $passes), 'x', PATIENCE, 0.0, $lease);
    if ($passes) {
        $taken = now();
        $workers[0]->call('unlock', 'x');
        var_dump($workers[1]->answer()['result']);
    }
    $workers[$passes]->worker->kill();
    $answers = check_turns(array_slice($workers, 1 + $passes));
    took_between('seconds', $answers[0]['result']['from'] - $taken, $lease - 0.1, $lease + 0.5);
    print_r(all_keys($redis));
}
?>
--EXPECT--
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds: yes
Array
(
)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds: yes
Array
(
)
