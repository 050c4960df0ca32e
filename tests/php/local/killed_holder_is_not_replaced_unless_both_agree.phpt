--TEST--
Takeover: the lock of a killed worker is waited for until its lease ends, unless it and the next one both have the option
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
$cases = [
    'the holder has not' => [false, true, true],
    'the first in line has not' => [true, false, true],
    'the second in line has not' => [true, true, false],
];
foreach ($cases as $label => $takeovers) {
    $workers = array_map(fn ($takeover) => $machine->worker(['takeover' => $takeover]), $takeovers);
    $machine->warmUp($workers);
    $workers[0]->call('lock', 'x', 0.0, $lease);
    $taken = now();
    $machine->lineUp(array_slice($workers, 1), 'x', PATIENCE, 0.0, $lease);
    $workers[0]->worker->kill();
    echo $label, "\n";
    $answers = check_turns(array_slice($workers, 1));
    $agree = $takeovers[0] && $takeovers[1];
    took_between('    seconds', $answers[0]['result']['from'] - $taken, $agree ? 0.0 : $lease - 0.1, $agree ? $lease - 0.2 : $lease + 0.5);
    echo '    keys: ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
the holder has not
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    keys: []
the first in line has not
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    keys: []
the second in line has not
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    keys: []
