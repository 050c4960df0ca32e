--TEST--
unlock() of a lock that was passed on, and of which Redis has not said yet that it is ours, throws while the server is gone; called again, it is true
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
$machine = new Machine($server->dsn());

$workers = $machine->workers(2);
$machine->warmUp($workers);
[$holder, $next] = $workers;
$holder->call('lock', 'x');
$machine->lineUpFor([$next], 'lock', 'x', PATIENCE);
$server->pause(); // the renaming is under way, and never carried out
$holder->begin('unlock', 'x');
echo json_encode($next->answer()['result']), " before Redis has answered\n";
$server->kill();
$failed = outcome(fn () => $next->call('unlock', 'x'));
is_so('no answer', str_contains($failed, 'RedisLockConnectionException'), $failed);
$server->restart();
echo json_encode($next->call('unlock', 'x')), "\n";
print_r(all_keys($server->client()));
?>
--EXPECT--
true before Redis has answered
no answer: yes
true
Array
(
)
