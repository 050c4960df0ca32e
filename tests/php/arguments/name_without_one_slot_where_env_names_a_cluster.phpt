--TEST--
Where the environment names a cluster, a name whose keys cannot share one slot is a ValueError of the call
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

putenv('REDISLOCK_TEST_SERVERS=redis-cluster://127.0.0.1:1');
$lock = new RedisLock('env:REDISLOCK_TEST_SERVERS', ['connect_timeout' => 0.2]);
$build = fn () => print("BUILT\n");
$calls = [
    'lock' => [], 'synchronized' => [$build], 'remember' => [$build, 1.0], 'once' => [fn () => null, $build], 'forget' => [],
    'owner' => [], 'attach' => ['token'],
];
foreach ($calls as $method => $arguments) {
    thrown(fn () => $lock->$method('{}', ...$arguments));
}
thrown(fn () => $lock->lockAll(['good', 'a}']));
$queue = new RedisQueue('env:REDISLOCK_TEST_SERVERS', ['connect_timeout' => 0.2]);
thrown(fn () => $queue->enqueue('a}', 'id'));
thrown(fn () => $queue->pop('a}'));

// The same object, when the environment names one server.
$server = RedisServer::start();
putenv('REDISLOCK_TEST_SERVERS=' . $server->dsn());
var_dump($lock->lock('{}'), $lock->lockAll(['good', 'a}']), $queue->enqueue('a}', 'id'));
$lock->unlockAll();
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::synchronized(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::remember(): Argument #1 ($key) must not have a "}" in its key %s
ValueError: RedisLock::once(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::forget(): Argument #1 ($key) must not have a "}" in its key %s
ValueError: RedisLock::owner(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::attach(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::lockAll(): Argument #1 ($names) must contain only valid names: a name must not have a "}" in its key %s
ValueError: RedisQueue::enqueue(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::pop(): Argument #1 ($name) must not have a "}" in its key %s
bool(true)
bool(true)
bool(true)
