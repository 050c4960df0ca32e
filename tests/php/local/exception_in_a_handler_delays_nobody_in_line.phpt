--TEST--
Workers in line here that end by the exception of a signal handler delay nobody, and leave nothing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

const ENDS = 'pcntl_async_signals(true); pcntl_signal(SIGUSR1, fn () => throw new Exception("enough"));';
$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(3);
[$holder, $stays, $last] = $workers;
$woken = [];
for ($round = 1; $round <= 3; $round++) {
    $leave = $machine->workers(3, setup: ENDS);
    $holder->call('lock', 'x');
    $machine->lineUpFor([$leave[0], $leave[1]], 'lock', 'x', PATIENCE);
    $machine->lineUp([$stays], 'x', PATIENCE);
    $machine->lineUpFor([$leave[2]], 'lock', 'x', PATIENCE);
    $machine->lineUp([$last], 'x', PATIENCE);
    usleep(random_int(0, 100000));
    foreach ($leave as $remote) {
        $remote->signal('USR1');
    }
    foreach ($leave as $remote) {
        $answer = $remote->answer();
        if ($answer['error'] !== 'Exception: enough') {
            echo 'NOT ENDED BY THE EXCEPTION: ', json_encode($answer), "\n";
        }
    }
    $machine->awaitWaiting(2);
    $released = now();
    var_dump($holder->call('unlock', 'x'));
    $answers = check_turns([$stays, $last]);
    $woken[] = ($answers[0]['result']['from'] - $released) * 1000;
    print_r(all_keys($redis));
}
is_so('all were passed on', passed_on($workers) === 6, passed_on($workers));
ms_between('ms from the release to the one that stays, median', median($woken), 0, 30, count($woken));
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
all were passed on: yes
ms from the release to the one that stays, median: yes
