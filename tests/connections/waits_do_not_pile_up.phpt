--TEST--
A thousand waits use two connections
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn(), ['persistent' => false]);
$holder->lock('x');
$redis->cmd('CONFIG', 'RESETSTAT');
$had = 0;
for ($i = 0; $i < 20; $i++) {
    $had += (int) (new RedisLock($server->dsn()))->lock('x', 0.3); // long enough for a look
}
for ($i = 0; $i < 1000; $i++) {
    $had += (int) (new RedisLock($server->dsn()))->lock('x', 0.001);
}
echo "had: $had\n";
is_between('connections', (int) server_info($redis, 'stats')['total_connections_received'], 1, 2);
?>
--EXPECT--
had: 0
connections: yes
