--TEST--
When whoever asks Redis for a machine has no answer, all in line hear its exception at once, and are served when the server is back
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

$workers = $machine->workers(8, ['read_timeout' => slow(1.0)]);
$machine->warmUp($workers);
$server->pause();
$workers[0]->begin('lock', 'x', PATIENCE);
wait_until(fn () => filesize($machine->segment()) > 0 && $workers[0]->worker->isRunning());
usleep(50000); // it asks
$machine->lineUpFor(array_slice($workers, 1), 'lock', 'x', PATIENCE);
$answers = array_map(fn ($worker) => $worker->answer(), $workers);
foreach ($answers as $answer) {
    echo strtok($answer['error'] ?? json_encode($answer['result']), ':'), "\n";
}
$ended = array_column($answers, 'ended');
took_between('seconds for the first', min($ended) - $answers[0]['began'], 0.1, slow(1.0) + 0.5);
took_between('seconds from the first to the last', max($ended) - min($ended), 0, 0.3);
$server->resume();
usleep(100000);
$redis->cmd('DEL', 'lock:x'); // the server may have taken the lock for the one that had gone
$machine->warmUp($workers);
$workers[0]->call('lock', 'x', PATIENCE);
$machine->lineUp(array_slice($workers, 1), 'x', PATIENCE);
var_dump($workers[0]->call('unlock', 'x'));
check_turns(array_slice($workers, 1));
?>
--EXPECT--
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
RedisLockConnectionException
seconds for the first: yes
seconds from the first to the last: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
