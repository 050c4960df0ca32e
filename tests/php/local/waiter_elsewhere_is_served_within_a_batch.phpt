--TEST--
A waiter of another machine is served after those that came before it was known, and before those that came later
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

$workers = $machine->workers(5);
$machine->warmUp($workers);
$holder = array_shift($workers);
$plain = Remote::start($server->dsn());
for ($round = 1; $round <= 2; $round++) {
    $holder->call('lock', 'x');
    $machine->lineUp([$workers[0], $workers[1]], 'x', PATIENCE, 0.3);
    $plain->begin('turn', 'x', PATIENCE);
    await_blocked($redis, 1);
    var_dump($holder->call('unlock', 'x')); // the answer tells that another one waits
    $machine->awaitWaiting(1);
    $machine->lineUp([$workers[2], $workers[3]], 'x', PATIENCE);
    check_turns([$workers[0], $workers[1], $plain, $workers[2], $workers[3]]);
}
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
