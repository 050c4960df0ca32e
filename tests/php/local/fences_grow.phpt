--TEST--
A lock that is passed on has a greater fencing token each time, which is its holder's
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

$workers = $machine->workers(4, ['fencing' => true]);
$workers[0]->call('lock', 'x');
$machine->lineUpFor(array_slice($workers, 1), 'lock', 'x', PATIENCE);
$last = 0;
foreach ($workers as $i => $worker) {
    $i === 0 || $worker->answer();
    $fence = $worker->call('fence', 'x');
    is_safe('greater than the last one', $fence > $last, [$last, $fence]);
    is_so('as in Redis', $fence === (int) $redis->cmd('GET', '{lock:x}:rl:fence'));
    var_dump($worker->call('unlock', 'x'));
    $last = $fence;
}
is_so('three were passed on', passed_on($workers) === 3);
?>
--EXPECT--
greater than the last one: yes
as in Redis: yes
bool(true)
greater than the last one: yes
as in Redis: yes
bool(true)
greater than the last one: yes
as in Redis: yes
bool(true)
greater than the last one: yes
as in Redis: yes
bool(true)
three were passed on: yes
