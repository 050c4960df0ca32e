--TEST--
When the server stays away, the worker that asks for all in line goes on for ten seconds, and all fail with it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the first in line asks Redis by itself after 3 s');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$machine = new Machine($server->dsn());

$workers = $machine->workers(5);
$machine->warmUp($workers);
$holder = array_shift($workers);
$holder->call('lock', 'x');
$machine->lineUpFor($workers, 'lock', 'x', 60.0);
$server->kill();
$holder->worker->kill(); // the first in line asks Redis then
$from = now();
$answers = array_map(fn ($worker) => $worker->answer(), $workers);
foreach ($answers as $answer) {
    echo strtok($answer['error'] ?? json_encode($answer['result']), ':'), "\n";
}
$ended = array_column($answers, 'ended');
took_between('seconds until the first failed', min($ended) - $from, 9.5, 11.5);
took_between('seconds from the first to the last', max($ended) - min($ended), 0, 0.5);
?>
--EXPECT--
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
seconds until the first failed: yes
seconds from the first to the last: yes
