--TEST--
A thousand objects that hold a lock each share a few connections, and all release
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$locks = [];
for ($i = 0; $i < 1000; $i++) {
    $locks[$i] = new RedisLock($server->dsn());
    $locks[$i]->lock("x$i");
}
var_dump(count(all_keys($redis)), (int) server_info($redis, 'clients')['connected_clients'] <= 3);
$locks = [];
var_dump(all_keys($redis));
?>
--EXPECT--
int(1000)
bool(true)
array(0) {
}
