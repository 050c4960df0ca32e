--TEST--
What a failed call leaves behind does not pile up
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(['replicaof 127.0.0.1 1']);
$redis = $server->client();
for ($i = 0; $i < 100; $i++) {
    $lock = new RedisLock($server->dsn());
    try {
        $lock->lock("x$i");
        echo "nothing thrown\n";
    } catch (RedisLockServerException) {
    }
}
is_so('connections', wait_until(fn () => (int) server_info($redis, 'clients')['connected_clients'] <= 3));
is_so('descriptors', count(scandir('/proc/self/fd')) < 30, count(scandir('/proc/self/fd')));
?>
--EXPECT--
connections: yes
descriptors: yes
