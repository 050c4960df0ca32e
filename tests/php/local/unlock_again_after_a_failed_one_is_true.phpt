--TEST--
unlock() that has no answer when it passes a lock on throws; called again, it is true, and sends nothing
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
$machine->lineUp([$next], 'x', PATIENCE, 0.005);
$server->kill();
$failed = outcome(fn () => $holder->call('unlock', 'x'));
is_so('no answer', str_contains($failed, 'RedisLockConnectionException'), $failed);
echo json_encode([$holder->call('held'), $holder->call('remaining', 'x')]), "\n";
echo json_encode($holder->call('unlock', 'x')), " while the server is still gone\n";
echo json_encode($holder->call('unlock', 'x')), " of what it does not have any more\n";
is_so('the next one fails by itself', $next->answer()['error'] !== null);
$server->restart();
echo json_encode($holder->call('turn', 'x', PATIENCE)['released']), " when it has it again\n";
?>
--EXPECT--
no answer: yes
[[],0]
true while the server is still gone
false of what it does not have any more
the next one fails by itself: yes
true when it has it again
