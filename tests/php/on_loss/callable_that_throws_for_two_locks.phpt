--TEST--
A function that throws for each of two locks: both exceptions come
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function ($name) {
    throw new DomainException($name);
}]);
$names = [];
for ($i = 0; $i < 2; $i++) {
    try {
        if ($i === 0) {
            $lock->lockAll(['a', 'b']);
            take_away($redis, 'a', 'b');
        }
        compute(LONG);
    } catch (DomainException $e) {
        $names[] = $e->getMessage();
    }
}
sort($names);
echo implode(' ', $names), "\n";
thrown(fn () => compute(0.2));
?>
--EXPECT--
a b
nothing thrown, returned 'computed to the end'
