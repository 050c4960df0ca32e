--TEST--
Eight waiters of a machine are passed the lock on in the order of their arrival, by one request each
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
$workers = $machine->workers(9);
[$holder, $waiters] = [$workers[0], array_slice($workers, 1)];
$machine->warmUp($workers);
for ($round = 1; $round <= 3; $round++) {
    $before = passed_on($workers);
    $holder->call('lock', 'x');
    $machine->lineUp($waiters, 'x', PATIENCE, 0.005);
    is_so('none stands in the line of Redis', blocked($redis) === 0, blocked($redis));
    $requests = scripts_run($redis, function () use ($holder, $waiters) {
        var_dump($holder->call('unlock', 'x'));
        check_turns($waiters);
    });
    is_so('eight were passed on, the last one released', $requests === 9 && passed_on($workers) === $before + 8, [$requests, passed_on($workers) - $before]);
    shuffle($waiters);
}
print_r(all_keys($redis));
?>
--EXPECT--
none stands in the line of Redis: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
eight were passed on, the last one released: yes
none stands in the line of Redis: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
eight were passed on, the last one released: yes
none stands in the line of Redis: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
eight were passed on, the last one released: yes
Array
(
)
