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
$late = 0;
for ($i = 0; $i < 1000; $i++) {
    try {
        $had += (int) (new RedisLock($server->dsn()))->lock('x', 0.001);
    } catch (RedisLockConnectionException $e) {
        str_contains($e->getMessage(), 'no answer in time') || throw $e; // nor may a busy machine give one within 1 ms
        $late++;
    }
}
echo "had: $had\n";
// One that waits for a late answer is not used meanwhile. If each wait made one of its own, there were a thousand.
$most = 2 + min(100, $late + (int) (100 * held_up()));
is_between('connections', (int) server_info($redis, 'stats')['total_connections_received'], 1, $most);
?>
--EXPECT--
had: 0
connections: yes
