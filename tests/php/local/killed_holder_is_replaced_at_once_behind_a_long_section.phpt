--TEST--
Takeover: a holder that is killed after seconds is replaced at once, too; of one that has lost its lock the next worker hears
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

foreach (['killed', 'forced'] as $what) {
    $workers = $machine->workers(3);
    $machine->warmUp($workers);
    $workers[0]->call('lock', 'x');
    $machine->lineUp(array_slice($workers, 1), 'x', PATIENCE);
    usleep(3_500_000);
    $at = now();
    if ($what === 'killed') {
        $workers[0]->worker->kill();
    } else {
        (new RedisLock($server->dsn()))->forceUnlock('x');
    }
    echo $what, "\n";
    $answers = check_turns(array_slice($workers, 1));
    took_between('    seconds', $answers[0]['result']['from'] - $at, 0.0, $what === 'killed' ? 1.0 : 3.5);
    echo '    taken over: ', array_sum(array_map(fn ($worker) => $worker->call('stats')['taken_over'], array_slice($workers, 1))), "\n";
    if ($what === 'forced') {
        echo '    released by the one that lost it: ', json_encode($workers[0]->call('unlock', 'x')), "\n";
    }
    echo '    keys: ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
killed
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 1
    keys: []
forced
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 0
    released by the one that lost it: false
    keys: []
