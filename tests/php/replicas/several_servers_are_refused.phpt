--TEST--
Replicas are those of one server: with several servers, the option is a ValueError
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$several = ['redis://127.0.0.1:1', 'redis://127.0.0.1:2', 'redis://127.0.0.1:3'];
thrown(fn () => new RedisLock($several, ['replicas' => 1]));
thrown(fn () => new RedisLock(['redis://127.0.0.1:1', 'env:NONE'], ['replicas' => 1]));
ini_set('redislock.replicas', '2');
thrown(fn () => new RedisLock($several));
new RedisLock($several, ['replicas' => 0]);
new RedisQueue('redis://127.0.0.1:1'); // it has no such option
putenv('REDISLOCK_TEST_SEVERAL=' . implode(' ', $several));
$lock = new RedisLock('env:REDISLOCK_TEST_SEVERAL');
thrown(fn () => $lock->lock('x'));
thrown(fn () => $lock->lockAll(['x', 'y']));
thrown(fn () => $lock->once('x', fn () => null, fn () => 1));

$servers = new Replicated(1);
putenv('REDISLOCK_TEST_SEVERAL=' . $servers->server->dsn());
ini_set('redislock.replicas', '1');
$lock = new RedisLock('env:REDISLOCK_TEST_SEVERAL');
var_dump($lock->lock('x'), $servers->waits());
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server, but the environment names several
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server, but the environment names several
ValueError: RedisLock::__construct(): Argument #2 ($options) option "replicas" (or the INI setting redislock.replicas) must be 0 unless there is one server, but the environment names several
bool(true)
int(1)
