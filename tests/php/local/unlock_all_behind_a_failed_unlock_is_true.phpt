--TEST--
unlockAll() is true, and sends nothing of a lock that was passed on without an answer
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
$wire = new Wire($server);
$machine = new Machine($wire->dsn());

$workers = $machine->workers(2, ['read_timeout' => 0.3]);
$machine->warmUp($workers);
[$holder, $next] = $workers;
$holder->call('lock', 'x');
$machine->lineUp([$next], 'x', PATIENCE, 0.005);
$server->pause();
$failed = outcome(fn () => $holder->call('unlock', 'x'));
is_so('no answer', str_contains($failed, 'RedisLockConnectionException'), $failed);
$server->resume();
$next->answer();
$holder->call('lock', 'y');
$wire->forget();
echo json_encode($holder->call('unlockAll')), "\n";
foreach ($wire->requestArgs() as $args) {
    echo $args[0], ' ', implode(' ', preg_grep('/^lock:/', $args)), "\n";
}
?>
--EXPECT--
no answer: yes
true
EVALSHA lock:y
