--TEST--
Rows A, B and D: where the old classes answered false or warned, a Redis that is down throws, and no section runs
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$nobody = 'redis://127.0.0.1:1';
$callers = [
    'A' => [['prefix' => ''], fn ($lock) => $lock->lock('SKU0001')],
    'B' => [['prefix' => 'TEST_LOCK', 'timeout' => 5], fn ($lock) => $lock->lock('account:1')],
    'D' => [['prefix' => 'Lock:', 'expire' => 15], fn ($lock) => $lock->lock('x', 0, 15)],
];
foreach ($callers as $row => [$options, $call]) {
    $lock = new RedisLock($nobody, $options + ['auto_release' => false]);
    try {
        if ($call($lock)) {
            echo "$row: the section ran\n";
        } else {
            echo "$row: false\n";
        }
    } catch (RedisLockConnectionException $e) {
        echo "$row: ", get_class($e), "\n";
    }
}
?>
--EXPECT--
A: RedisLockConnectionException
B: RedisLockConnectionException
D: RedisLockConnectionException
