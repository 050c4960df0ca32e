--TEST--
A name whose keys cannot share one slot is a ValueError in a cluster, in every method, before anything is sent
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

// Nobody listens there: a method that asked would throw a RedisLockConnectionException.
$lock = new RedisLock('redis-cluster://127.0.0.1:1', ['connect_timeout' => 0.2]);
$build = fn () => print("BUILT\n");
$calls = [
    'lock' => [], 'unlock' => [], 'expire' => [], 'isLocking' => [], 'synchronized' => [$build], 'remember' => [$build, 1.0],
    'once' => [$build, $build], 'forget' => [], 'remaining' => [], 'lost' => [], 'ensure' => [], 'token' => [], 'fence' => [],
    'owner' => [], 'holder' => [], 'waiters' => [], 'forceUnlock' => [], 'attach' => ['token'], 'detach' => [],
];
foreach ($calls as $method => $arguments) {
    thrown(fn () => $lock->$method('a}', ...$arguments));
}
thrown(fn () => $lock->lockAll(['good', 'a}']));

// Other methods that take a name first would be missing above.
foreach ((new ReflectionClass('RedisLock'))->getMethods() as $method) {
    $first = $method->getParameters()[0] ?? null;
    if (in_array($first?->name, ['name', 'key']) && !isset($calls[$method->name])) {
        echo "NOT TESTED: $method->name\n";
    }
}

$queue = new RedisQueue('redis-cluster://127.0.0.1:1', ['connect_timeout' => 0.2]);
$calls = [
    'enqueue' => ['id'], 'dequeue' => ['id', 1.0], 'pop' => [], 'top' => [], 'reserve' => [], 'ack' => ['id', 'receipt'],
    'release' => ['id', 'receipt'], 'touch' => ['id', 'receipt', 1.0], 'stats' => [], 'dead' => [], 'requeue' => [],
];
foreach ($calls as $method => $arguments) {
    thrown(fn () => $queue->$method('a}', ...$arguments));
}
foreach ((new ReflectionClass('RedisQueue'))->getMethods() as $method) {
    if (($method->getParameters()[0] ?? null)?->name === 'name' && !isset($calls[$method->name])) {
        echo "NOT TESTED: $method->name\n";
    }
}
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #1 ($name) must not have a "}" in its key (prefix and name) unless the first "{" there begins a hash tag, such as "{tag}": a cluster would put the keys of such a name into different slots
ValueError: RedisLock::unlock(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::expire(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::isLocking(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::synchronized(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::remember(): Argument #1 ($key) must not have a "}" in its key %s
ValueError: RedisLock::once(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::forget(): Argument #1 ($key) must not have a "}" in its key %s
ValueError: RedisLock::remaining(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::lost(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::ensure(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::token(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::fence(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::owner(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::holder(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::waiters(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::forceUnlock(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::attach(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::detach(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisLock::lockAll(): Argument #1 ($names) must contain only valid names: a name must not have a "}" in its key (prefix and name) unless the first "{" there begins a hash tag, such as "{tag}": a cluster would put the keys of such a name into different slots
ValueError: RedisQueue::enqueue(): Argument #1 ($name) must not have a "}" in its key (prefix and name) unless the first "{" there begins a hash tag, such as "{tag}": a cluster would put the keys of such a name into different slots
ValueError: RedisQueue::dequeue(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::pop(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::top(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::reserve(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::ack(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::release(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::touch(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::stats(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::dead(): Argument #1 ($name) must not have a "}" in its key %s
ValueError: RedisQueue::requeue(): Argument #1 ($name) must not have a "}" in its key %s
