--TEST--
A callable that unlocks the other locks that are lost, and takes new ones, is called once
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
$names = ['a', 'b', 'c', 'd', 'e'];
$told = [];
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'on_loss' => function (string $name) use (&$lock, &$told, $names) {
    $told[] = $name;
    foreach (array_diff($names, [$name]) as $other) {
        $lock->unlock($other);
        $lock->lock("another $other", expire: 60);
    }
}]);
try {
    $lock->lockAll($names);
} finally { // holds the notices back until all are there
    compute_until(fn () => array_filter($names, fn ($name) => !$lock->lost($name)) === []);
}
compute(0.3);
is_so('one was told', count($told) === 1 && in_array($told[0], $names, true), $told);
var_dump(count($lock->held()), $lock->lost($told[0]));
$lock = null; // it and its function refer to each other
?>
--EXPECT--
one was told: yes
int(4)
bool(true)
