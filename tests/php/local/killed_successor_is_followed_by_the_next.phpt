--TEST--
A worker that is killed when the lock was passed on to it, and that has not begun, is followed by the next one
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
[$holder, $stopped, $next, $last] = $workers;
foreach (['KILL', 'STOP'] as $what) {
    $holder->call('lock', 'x');
    $machine->lineUp([$stopped, $next, $last], 'x', PATIENCE);
    $stopped->signal('STOP');
    $began = now();
    var_dump($holder->call('unlock', 'x'));
    $what !== 'KILL' || $stopped->worker->kill();
    $answers = check_turns([$next, $last]);
    took_between('seconds until the next one had it', $answers[0]['result']['from'] - $began, 0, 1);
    $stopped->signal('CONT');
    if ($what === 'KILL') {
        $stopped = $machine->worker();
        $stopped->call('turn', 'x', PATIENCE);
    } else {
        $turn = $stopped->answer()['result'];
        is_so('the one that stood still has its turn behind them', $turn['got'] && $turn['released'] && $turn['from'] > $answers[0]['result']['until'], [$turn, $answers]);
    }
    print_r(all_keys($redis));
}
?>
--EXPECT--
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds until the next one had it: yes
Array
(
)
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds until the next one had it: yes
the one that stood still has its turn behind them: yes
Array
(
)
