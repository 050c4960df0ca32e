--TEST--
A section that returns a generator which is not done: a warning says that the rest of it runs without the lock
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

function numbers() { yield 1; yield 2; }
function done() { $numbers = numbers(); foreach ($numbers as $_); return $numbers; }

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
var_dump(get_class($lock->synchronized('x', fn () => numbers())));
var_dump(get_class($lock->once('x', fn () => null, fn () => numbers())));
var_dump(get_class($lock->synchronized('x', fn () => done())));
var_dump(iterator_to_array($lock->synchronized('x', fn () => new ArrayIterator([1]))));

// Where a handler makes an exception of the warning, the result is there all the same.
ini_set('error_log', '/dev/null');
set_error_handler(fn ($level, $message) => throw new ErrorException($message));
var_dump(get_class($lock->synchronized('x', fn () => numbers())));
restore_error_handler();
var_dump($lock->held(), all_keys($server->client()));
?>
--EXPECTF--
Warning: RedisLock::synchronized(): unix://%s: the section returned a generator, which will run after the release, without the lock (lock "x") in %s on line %d
string(9) "Generator"

Warning: RedisLock::once(): unix://%s: the section returned a generator, which will run after the release, without the lock (lock "x") in %s on line %d
string(9) "Generator"
string(9) "Generator"
array(1) {
  [0]=>
  int(1)
}
string(9) "Generator"
array(0) {
}
array(0) {
}
