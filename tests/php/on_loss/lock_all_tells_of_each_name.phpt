--TEST--
Each lock of lockAll() that is lost is told by its name
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
$told = [];
$note = function ($name) use (&$told) {
    $told[] = $name;
};
$all = function () use (&$told) {
    return count($told) >= 3;
};
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => $note]);
$lock->lockAll(['a', 'b', 'c']);
compute_until($all);
sort($told);
echo 'over: ', implode(' ', $told), "\n";

$told = [];
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'renew' => true, 'on_loss' => $note]);
$lock->lockAll(['d', 'e', 'f', 'g']);
take_away($redis, 'd', 'f', 'g');
compute_until($all);
compute(lease(0.5));
sort($told);
echo 'taken away: ', implode(' ', $told), "\n";
echo 'held: ', implode(' ', array_keys($lock->held())), "\n";
?>
--EXPECT--
over: a b c
taken away: d f g
held: e
