--TEST--
on_loss flag, the default: without renew there is no thread, and nothing is told
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../renew/renew.inc';
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$at_first = threads();
foreach ([[], ['on_loss' => 'flag'], ['on_loss' => null]] as $options) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.3)] + $options);
    $lock->lock('x');
    echo 'threads more: ', threads() - $at_first, "\n";
    thrown(fn () => compute(lease(0.5)));
    var_dump($lock->lost('x'), $lock->unlock('x'));
}
$lock = new RedisLock($server->dsn(), ['on_loss' => 'throw']);
echo 'before a lock, threads more: ', threads() - $at_first, "\n";
$lock->lock('x');
echo 'throw, threads more: ', threads() - $at_first, "\n";
?>
--EXPECT--
threads more: 0
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
threads more: 0
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
threads more: 0
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
before a lock, threads more: 0
throw, threads more: 1
