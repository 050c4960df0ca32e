--TEST--
The same for an Error
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
$lock = new RedisLock($server->dsn());

try {
    $lock->synchronized('x', fn () => intdiv(1, 0));
} catch (DivisionByZeroError $e) {
    var_dump($e->getMessage());
}
var_dump(all_keys($server->client()));
?>
--EXPECT--
string(16) "Division by zero"
array(0) {
}
