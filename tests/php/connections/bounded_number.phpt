--TEST--
A process keeps 16 idle connections at most, and those that were used last
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start(['databases 64']);
$redis = $server->client();
for ($db = 1; $db <= 40; $db++) {
    (new RedisLock($server->dsn($db)))->owner('x');
}
wait_until(fn () => count(clients($redis)) <= 16);
$databases = array_map(fn ($client) => (int) $client['db'], clients($redis));
sort($databases);
echo count($databases), ': ', implode(' ', $databases), "\n";
$redis->cmd('CONFIG', 'RESETSTAT');
for ($db = 40; $db > 24; $db--) {
    (new RedisLock($server->dsn($db)))->owner('x');
}
echo 'made anew: ', server_info($redis, 'stats')['total_connections_received'], "\n";
?>
--EXPECT--
16: 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
made anew: 0
