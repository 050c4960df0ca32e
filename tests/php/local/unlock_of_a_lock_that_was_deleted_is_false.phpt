--TEST--
unlock() of a lock that was deleted is false, also for the next worker, which knows it from the answer; the one behind gets it from Redis
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

$workers = $machine->workers(4);
$machine->warmUp($workers);
foreach (['taken from Redis' => 0, 'passed on' => 1] as $label => $passes) {
    echo "$label\n";
    $workers[0]->call('lock', 'x');
    $machine->lineUpFor(array_slice($workers, 1, $passes + 1), 'lock', 'x', PATIENCE);
    $machine->lineUp([$last = $workers[$passes + 2]], 'x', PATIENCE);
    if ($passes) {
        var_dump($workers[0]->call('unlock', 'x'), $workers[1]->answer()['result']);
    }
    $redis->cmd('DEL', 'lock:x');
    var_dump($workers[$passes]->call('unlock', 'x'));
    $next = $workers[$passes + 1];
    $next->answer(); // true: it began before the answer
    var_dump($next->call('isLocking', 'x'), $next->call('remaining', 'x'), $next->call('unlock', 'x'));
    check_turns([$last]);
    print_r(all_keys($redis));
}
?>
--EXPECT--
taken from Redis
bool(false)
bool(false)
float(0)
bool(false)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
passed on
bool(true)
bool(true)
bool(false)
bool(false)
float(0)
bool(false)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
