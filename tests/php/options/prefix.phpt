--TEST--
The option `prefix` goes before every name
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
foreach (['shop:', '', '{tag}:', "bin\0ary\r\n:"] as $prefix) {
    $lock = new RedisLock($server->dsn(), ['prefix' => $prefix]);
    $lock->lock('x');
    echo json_encode(all_keys($redis)), "\n";
    $lock->unlock('x');
}
?>
--EXPECT--
["shop:x"]
["x"]
["{tag}:x"]
["bin\u0000ary\r\n:x"]
