--TEST--
redislock show: one lock, whatever holds it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
$redis = $server->client();
echo "free\n";
show($server, 'show', 'SKU0001');
show($server, 'show', '--json', 'SKU0001');

echo "held\n";
$lock = new RedisLock($server->dsn());
$lock->lock('SKU0001', expire: 60);
show($server, 'show', 'SKU0001');

echo "with a fence\n";
$fenced = new RedisLock($server->dsn(), ['fencing' => true]);
$fenced->lock('fenced', expire: INF);
$run = cli(['--server=' . $server->dsn(), 'show', '--json', 'fenced']);
var_dump($run->json() == [
    'name' => 'fenced', 'state' => 'held', 'owner' => $fenced->token('fenced'), 'remaining' => null, 'waiters' => 0,
    'renewed' => null, 'kind' => 'lock', 'description' => null, 'host' => null, 'pid' => null, 'runs' => null, 'since' => null, 'age' => null,
    'key' => 'lock:fenced', 'fence' => $fenced->fence('fenced'), 'connections' => null, 'waiting' => [],
]);

echo "being handed to a waiter that has not claimed it\n";
$redis->cmd('SET', 'lock:passing', 'rl:baton:' . str_repeat('0', 32), 'PX', 60000);
show($server, 'show', 'passing');

echo "a lock of another kind\n";
$redis->cmd('ZADD', 'lock:symfony', '1', 'token');
show($server, 'show', 'symfony');

echo "no name\n";
show($server, 'show', '');
$run = cli(['--server=' . $server->dsn(), 'show', 'x:rl:wait']);
is_so('a name of ours', $run->status === 2 && str_starts_with($run->err, 'redislock: name must not end in ":rl:'), $run->err);
?>
--EXPECT--
free
SKU0001 is free
=> 1
{
    "name": "SKU0001",
    "state": "free"
}
=> 1
held
name     SKU0001
key      lock:SKU0001
owner    rl:00000000000000000000000000000000
lease  N s
waiters  0
=> 0
with a fence
bool(true)
being handed to a waiter that has not claimed it
name     passing
key      lock:passing
owner    (being handed to a waiter)
lease  N s
waiters  0
=> 0
a lock of another kind
name     symfony
key      lock:symfony
owner    (a key of another type)
lease    no end
waiters  0
=> 0
no name
redislock: name must not be empty
=> 2
a name of ours: yes
