--TEST--
Each worker that a lock is passed on to has a token of its own, which tells of that worker
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

$workers = array_map(fn ($name) => $machine->worker(['owner' => $name]), ['first', 'second', 'third']);
$watch = new RedisLock($server->dsn());
$tokens = [];
$workers[0]->call('lock', 'x');
$machine->lineUpFor([$workers[1], $workers[2]], 'lock', 'x', PATIENCE);
foreach ($workers as $i => $worker) {
    $i === 0 || var_dump($worker->answer()['result']);
    $tokens[] = $redis->cmd('GET', 'lock:x');
    var_dump($watch->holder('x')['owner']);
    var_dump($worker->call('unlock', 'x'));
}
is_so('three tokens', count(array_unique($tokens)) === 3, $tokens);
is_so('two were passed on', passed_on($workers) === 2);
print_r(all_keys($redis));
?>
--EXPECT--
string(5) "first"
bool(true)
bool(true)
string(6) "second"
bool(true)
bool(true)
string(5) "third"
bool(true)
three tokens: yes
two were passed on: yes
Array
(
)
