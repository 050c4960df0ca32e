--TEST--
The section throws: its exception is the one thrown, unchanged, and the lock is released
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
$lock = new RedisLock($server->dsn());

$mine = new DomainException('sold out', 7);
try {
    $lock->synchronized('x', fn () => throw $mine);
} catch (Throwable $e) {
    var_dump($e === $mine, $e->getMessage(), $e->getCode(), $e->getPrevious());
}
var_dump($lock->held(), all_keys($redis));
?>
--EXPECT--
bool(true)
string(8) "sold out"
int(7)
NULL
array(0) {
}
array(0) {
}
