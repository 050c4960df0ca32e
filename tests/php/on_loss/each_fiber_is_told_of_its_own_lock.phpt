--TEST--
Fibers that take turns: each is told of its own lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
$told = [];
$fibers = [];
foreach (['a', 'b', 'c'] as $name) {
    $fibers[$name] = new Fiber(function () use ($lock, $name, &$told) {
        $lock->lock($name);
        try {
            for ($until = microtime(true) + LONG; microtime(true) < $until;) {
                Fiber::suspend();
                compute(0.01);
            }
        } catch (RedisLockLostException $e) {
            $told[] = "$name was told of $e->lockName";
        }
    });
    $fibers[$name]->start();
}
while (array_filter($fibers, fn ($fiber) => !$fiber->isTerminated())) {
    foreach ($fibers as $fiber) {
        $fiber->isTerminated() || $fiber->resume();
    }
}
sort($told);
print_r($told);
?>
--EXPECT--
Array
(
    [0] => a was told of a
    [1] => b was told of b
    [2] => c was told of c
)
