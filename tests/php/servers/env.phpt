--TEST--
env:NAME is an environment variable that holds the server
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start(tcp: true, password: 's3cret');
echo Worker::run('
    $lock = new RedisLock("env:REDIS_URL");
    var_dump($lock->lock("x"));
', [], ['REDIS_URL' => $server->tcpDsn(':s3cret', 4)]);
putenv('SHOP_LOCKS=' . $server->tcpDsn(':s3cret', 4));
$lock = new RedisLock('env:SHOP_LOCKS');
var_dump($lock->lock('y'));
?>
--EXPECT--
bool(true)
bool(true)
