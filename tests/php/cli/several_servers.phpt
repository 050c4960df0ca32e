--TEST--
redislock asks several servers one after another, and one that is down does not keep from the others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$dsns = array_map(fn ($server) => $server->dsn(), $servers);
$lock = new RedisLock($dsns, ['node_timeout' => 1]);
$lock->waiters('SKU0001'); // waits for all: then they are connected, and all take part
$lock->lock('SKU0001', expire: 60);

/** Runs it on all of them; each is called by its number. */
function show_all(array $args, array $env = [], array $options = []): void
{
    global $servers;
    $run = cli($args, $env, $options);
    $same = ['/rl:[0-9a-f]{32}/' => 'rl:' . str_repeat('0', 32), '/rl:[0-9a-f]{22}…/' => 'rl:' . str_repeat('0', 22) . '…', '/ +\d+(\.\d)? s\b/' => '  N s'];
    foreach ($servers as $i => $server) {
        $same['~' . preg_quote($server->address(), '~') . '~'] = "unix://$i";
    }
    echo preg_replace(array_keys($same), array_values($same), $run->out . $run->err), "=> $run->status\n";
}

show_all(['--server=' . implode(' ', $dsns), 'ls']);
show_all(['ls', '--json', 'none'], ['LOCKS' => implode("\n ", $dsns)], ['-d', 'redislock.servers=env:LOCKS']);
show_all(['show', 'free'], ['A' => $dsns[0], 'B' => $dsns[1]], ['-d', 'redislock.servers=env:A env:B']);
$servers[2]->client()->cmd('DEL', 'lock:SKU0001');
show_all(['--server=' . implode(' ', $dsns), 'release', 'SKU0001', '--force']);
$lock->unlock('SKU0001');
$lock->lock('SKU0001', expire: 60);
$servers[1]->kill();
show_all(['--server=' . implode(' ', $dsns), 'release', 'SKU0001', '--force']);
var_dump($lock->isLocking('SKU0001'));
show_all(['--server=' . implode(' ', $dsns), 'release', 'SKU0001']);
$run = cli(['--server=' . implode(' ', $dsns), 'ping', '--json']);
is_so('ping', $run->status === 3 && array_map(fn ($facts) => isset($facts['error']), array_values($run->json())) === [false, true, false]);
?>
--EXPECT--
[unix://0]
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:0000000000000000000000…  N s                 0

[unix://1]
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:0000000000000000000000…  N s                 0

[unix://2]
NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:0000000000000000000000…  N s                 0

=> 0
{
    "unix://0": [],
    "unix://1": [],
    "unix://2": []
}
=> 0
[unix://0]
free is free

[unix://1]
free is free

=> 1
[unix://0]
SKU0001 was taken from rl:00000000000000000000000000000000

[unix://1]
SKU0001 was taken from rl:00000000000000000000000000000000

[unix://2]
SKU0001 is free

=> 0
[unix://0]
SKU0001 was taken from rl:00000000000000000000000000000000

[unix://1]
unix://1: Connection refused

[unix://2]
SKU0001 was taken from rl:00000000000000000000000000000000

=> 3
bool(false)
redislock: this takes the lock from whoever holds it, who may go on as if it had it: say --force
=> 2
ping: yes
