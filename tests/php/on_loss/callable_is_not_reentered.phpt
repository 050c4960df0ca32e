--TEST--
Of two locks that are lost, the second is told when the function has returned from the first
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
$log = [];
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function ($name) use (&$log, &$lock) {
    $log[] = 'begin';
    compute_until(fn () => $lock->lost('a') && $lock->lost('b'));
    compute(0.2);
    $log[] = 'end';
}]);
$lock->lockAll(['a', 'b']);
take_away($redis, 'a', 'b');
compute_until(function () use (&$log) {
    return count($log) >= 4;
});
echo implode(' ', $log), "\n";
$lock = null;
?>
--EXPECT--
begin end begin end
