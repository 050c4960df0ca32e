--TEST--
redislock show: from where the owner of a lock is connected, by the names of connections, where the user may ask
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start(['user viewer on >secret +@all -client|list ~*']);
$redis = $server->client();
$token = fn (string $owner) => 'rl:' . str_repeat('0', 32) . ":-19abcdef012:$owner";
$redis->cmd('SET', 'lock:held', $token('web-3:4711 job ReserveStock'));
$long = 'host-of-a-long-name-in-a-zone-of-a-data-centre-1';
$redis->cmd('SET', 'lock:long', $token(substr($long, 0, 44) . ':12345'));
$redis->cmd('SET', 'lock:gone', $token('web-3:471'));
$redis->cmd('SET', 'lock:other', $token('the warehouse'));
$redis->cmd('SET', 'lock:foreign', 'web-3:4711');

/** What it says of the connections, as text and as JSON. */
function connected(string $name, string $user = ''): void
{
    global $server;
    $env = ['LOCKS' => $server->address($user)];
    $run = cli(['--server=env:LOCKS', 'show', $name], $env);
    $json = cli(['--server=env:LOCKS', 'show', '--json', $name], $env)->json()['connections'];
    preg_match('/^connected  (.*)/m', $run->out, $found);
    $address = '~(' . preg_quote($server->socket(), '~') . '|127\.0\.0\.1):\d+~';
    $said = preg_replace($address, 'ADDRESS', ($found[1] ?? 'nothing') . ' ' . json_encode($json, JSON_UNESCAPED_SLASHES));
    echo "$name => $run->status ", preg_replace('/(idle"?:? ?)\d+/', '$1N', $said), "\n";
}

echo "connections have no names\n";
connected('held');

echo "they have\n";
$clients = [$server->client(), $server->client(), $server->client(), $server->client(), $server->client()];
$names = ['redislock:web-3:4711', 'redislock:web-3:4711', 'redislock:web-4:4711', 'x-redislock:web-3:4711', "redislock:$long:12345"];
foreach ($names as $i => $name) {
    $clients[$i]->cmd('CLIENT', 'SETNAME', $name);
}
foreach (['held', 'long', 'gone', 'other', 'foreign'] as $name) {
    connected($name);
}
connected('held', 'viewer:secret');
?>
--EXPECT--
connections have no names
held => 0 nothing null
they have
held => 0 from ADDRESS, idle N s; from ADDRESS, idle N s [{"address":"ADDRESS","idle":N},{"address":"ADDRESS","idle":N}]
long => 0 from ADDRESS, idle N s [{"address":"ADDRESS","idle":N}]
gone => 0 no longer, or under another name []
other => 0 nothing null
foreign => 0 nothing null
held => 0 nothing null
