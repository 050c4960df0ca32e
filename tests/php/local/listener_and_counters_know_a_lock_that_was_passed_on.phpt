--TEST--
The listener, stats() and metrics() tell of a lock that was passed on as of any other
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

$php = ['-d', "redislock.shared_memory=$machine->folder", '-d', 'redislock.local=1', '-d', 'redislock.metrics=1', '-d', 'redislock.expire=' . LEASE];
$setup = '$told = [];';
$listen = '$lock = new RedisLock($argv[1], ["listener" => function ($event, $name) use (&$told) { $told[] = "$event $name"; }]);';
[$holder, $heir] = Remote::startMany(2, $server->dsn(), [], $setup, $php);
$holder->call('run', $listen);
$heir->call('run', $listen);
$holder->call('lock', 'x');
$machine->lineUp([$heir], 'x', PATIENCE);
usleep(50000);
$holder->call('unlock', 'x');
check_turns([$heir]);
foreach (['holder' => $holder, 'heir' => $heir] as $label => $worker) {
    echo "$label: ", implode(', ', $worker->call('run', 'return $told;')), "\n";
    $stats = $worker->call('stats');
    echo '    ', json_encode(array_intersect_key($stats, array_flip(['acquired', 'contended', 'timed_out', 'passed_on', 'released', 'lost']))), "\n";
    $group = $worker->call('run', 'return RedisLock::metrics()["process"]["groups"]["x"];');
    echo '    ', json_encode(array_intersect_key($group, array_flip(['acquired', 'waited', 'held', 'released', 'lost'])) + ['waits' => array_sum($group['wait']['counts']), 'holds' => array_sum($group['hold']['counts'])]), "\n";
    is_so('the wait is counted', $label === 'holder' ? $stats['waited'] === 0.0 : $stats['waited'] > 0.04, $stats['waited']);
}
?>
--EXPECT--
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
holder: acquired x, released x
    {"acquired":1,"contended":0,"timed_out":0,"passed_on":1,"released":1,"lost":0}
    {"acquired":1,"released":1,"waited":0,"held":0,"lost":0,"waits":1,"holds":1}
the wait is counted: yes
heir: waited x, acquired x, released x
    {"acquired":1,"contended":1,"timed_out":0,"passed_on":0,"released":1,"lost":0}
    {"acquired":1,"released":1,"waited":1,"held":0,"lost":0,"waits":1,"holds":1}
the wait is counted: yes
