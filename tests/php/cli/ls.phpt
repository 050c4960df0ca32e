--TEST--
redislock ls: the locks that are held, by name, and nothing else that is in Redis
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
show($server, 'ls');
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
foreach (['SKU0010' => 30, 'SKU0009' => 3000, 'cron' => INF, '7' => 20] as $name => $lease) {
    $lock->lock((string) $name, 0, $lease);
}
$redis = $server->client();
$redis->cmd('SET', 'lock:by-hand', 'a token of its own', 'PX', 50000);
$redis->cmd('SET', 'other:SKU0001', 'not a lock of this prefix');
$redis->cmd('HSET', 'lock:hash', 'no', 'lock');
show($server, 'ls');
show($server, 'ls', 'SKU*');
show($server, 'ls', 'SKU000[89]');
show($server, 'ls', 'no such*');
show($server, '--prefix=other:', 'ls');

echo "without what stands beside a lock\n";
$lock->lock('{tag}beside');
$lock->remember('{tag}value', fn () => 'a value', 60);
is_so('they have the prefix', count(preg_grep('/^lock:\{tag\}.*:rl:/', all_keys($redis))) >= 2, all_keys($redis));
show($server, 'ls', '{tag}*');

echo "as JSON\n";
$all = show($server, 'ls', '--json', 'SKU0009')->json();
is_so('none is an empty list', cli(['--server=' . $server->dsn(), 'ls', '--json', 'none'])->json() === []);
is_so('the owner is the token', $all[0]['owner'] === $lock->token('SKU0009'));
?>
--EXPECT--
no lock is held
=> 0
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
7        rl:0000000000000000000000…  N s                 0
SKU0009  rl:0000000000000000000000…  N s                 0
SKU0010  rl:0000000000000000000000…  N s                 0
by-hand  foreign: a token of its o…  N s                 0
cron     rl:0000000000000000000000…       no end                 0
=> 0
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0009  rl:0000000000000000000000…  N s                 0
SKU0010  rl:0000000000000000000000…  N s                 0
=> 0
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0009  rl:0000000000000000000000…  N s                 0
=> 0
no lock is held
=> 0
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  foreign: not a lock of th…       no end                 0
=> 0
without what stands beside a lock
they have the prefix: yes
NAME         OWNER                       AGE   LEASE  RENEWED  WAITERS
{tag}beside  rl:0000000000000000000000…  N s                 0
=> 0
as JSON
[
    {
        "name": "SKU0009",
        "state": "held",
        "owner": "rl:00000000000000000000000000000000",
        "remaining": N,
        "waiters": 0,
        "renewed": null,
        "kind": "lock",
        "description": null,
        "host": null,
        "pid": null,
        "runs": null,
        "since": null,
        "age": null
    }
]
=> 0
none is an empty list: yes
the owner is the token: yes
