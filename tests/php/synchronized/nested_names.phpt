--TEST--
Sections of different names nest, and each is released when it ends
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

var_dump($lock->synchronized('x', function () use ($lock) {
    $inner = $lock->synchronized('y', fn () => implode(' ', array_keys($lock->held())));
    return [$inner, implode(' ', array_keys($lock->held()))];
}), $lock->held());
?>
--EXPECT--
array(2) {
  [0]=>
  string(3) "x y"
  [1]=>
  string(1) "x"
}
array(0) {
}
