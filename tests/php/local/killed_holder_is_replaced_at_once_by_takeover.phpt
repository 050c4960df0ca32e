--TEST--
Takeover: the next worker in line has the lock of a killed one at once, also of one that it was passed on to, or that renews it
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
$machine = new Machine($server->dsn(), ['takeover' => true]);

foreach (['taken from Redis' => [0, false], 'passed on' => [1, false], 'renewed' => [0, true]] as $label => [$passes, $renews]) {
    $workers = $machine->workers(4, ['renew' => $renews]);
    $machine->warmUp($workers);
    $workers[0]->call('lock', 'x');
    $machine->lineUpFor(array_slice($workers, 1, $passes), 'lock', 'x', PATIENCE);
    $machine->lineUp(array_slice($workers, 1 + $passes), 'x', PATIENCE);
    if ($passes) {
        $workers[0]->call('unlock', 'x');
        $workers[1]->answer();
    }
    $killed = now();
    $workers[$passes]->worker->kill();
    echo $label, "\n";
    $answers = check_turns(array_slice($workers, 1 + $passes));
    took_between('    seconds', $answers[0]['result']['from'] - $killed, 0.0, 1.0);
    echo '    taken over: ', array_sum(array_map(fn ($worker) => $worker->call('stats')['taken_over'], array_slice($workers, 1 + $passes))), "\n";
    echo '    keys: ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
taken from Redis
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 1
    keys: []
passed on
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 1
    keys: []
renewed
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 1
    keys: []
