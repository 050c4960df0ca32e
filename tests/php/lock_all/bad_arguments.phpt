--TEST--
lockAll(): no name, one twice, bad names, bad times are refused before anything is sent
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
thrown(fn () => $lock->lockAll([]));
thrown(fn () => $lock->lockAll(['a', 'b', 'a']));
thrown(fn () => $lock->lockAll(['7', 7]));
thrown(fn () => $lock->lockAll(['a', null]));
thrown(fn () => $lock->lockAll(['a', '']));
thrown(fn () => $lock->lockAll([str_repeat('a', 65536)]));
thrown(fn () => $lock->lockAll(['a', 'a:rl:wait']));
thrown(fn () => $lock->lockAll(array_map(strval(...), range(0, 1000))));
thrown(fn () => $lock->lockAll(['a'], -1));
thrown(fn () => $lock->lockAll(['a'], NAN));
thrown(fn () => $lock->lockAll(['a'], 0, 0.001));
thrown(fn () => $lock->lockAll('a'));
var_dump($lock->held(), $wire->connections());
?>
--EXPECT--
ValueError: RedisLock::lockAll(): Argument #1 ($names) must not be empty
ValueError: RedisLock::lockAll(): Argument #1 ($names) must not contain a name twice
TypeError: RedisLock::lockAll(): Argument #1 ($names) must be an array of strings, int given among them
TypeError: RedisLock::lockAll(): Argument #1 ($names) must be an array of strings, null given among them
ValueError: RedisLock::lockAll(): Argument #1 ($names) must contain only valid names: a name must not be empty
ValueError: RedisLock::lockAll(): Argument #1 ($names) must contain only valid names: a name must not be longer than 65535 bytes
ValueError: RedisLock::lockAll(): Argument #1 ($names) must contain only valid names: a name must not end in ":rl:baton", ":rl:wait", ":rl:fence", ":rl:note", ":rl:value" or ":rl:wake"
ValueError: RedisLock::lockAll(): Argument #1 ($names) must not have more than 1000 names
ValueError: RedisLock::lockAll(): Argument #2 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::lockAll(): Argument #2 ($timeout) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::lockAll(): Argument #3 ($expire) must be between 0.01 and 1000000000 seconds, or INF
TypeError: RedisLock::lockAll(): Argument #1 ($names) must be of type array, string given
array(0) {
}
int(0)
