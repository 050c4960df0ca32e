--TEST--
A lock taken in a request and released by its job in another process, by the token
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

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$lock->lock('order-1', expire: 20);
$token = $lock->detach('order-1');

echo Worker::run('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->attach("order-1", $argv[2]));
    var_dump($lock->unlock("order-1"));
', [$server->dsn(), $token]);
var_dump(all_keys($server->client()));
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
