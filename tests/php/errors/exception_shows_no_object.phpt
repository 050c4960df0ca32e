--TEST--
Neither the object nor its name's token is part of an exception
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

$server = RedisServer::start(['replicaof 127.0.0.1 1'], password: 's3cret');
$lock = new RedisLock($server->dsn(), ['password' => 's3cret']);
try {
    $lock->lock('x');
} catch (RedisLockServerException $e) {
    has_no_secret('exception', shown($e), 's3cret');
    echo $e->redisError, "\n";
}
?>
--EXPECT--
exception: no secret
READONLY
