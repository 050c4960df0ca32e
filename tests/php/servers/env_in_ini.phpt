--TEST--
redislock.servers may be env:NAME
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

$server = RedisServer::start(password: 's3cret', tcp: true);
echo Worker::run('
    $lock = new RedisLock();
    var_dump($lock->lock("x"));
', [], ['REDIS_URL' => $server->tcpDsn(':s3cret')], ['-d', 'redislock.servers=env:REDIS_URL']);
?>
--EXPECT--
bool(true)
