--TEST--
once() by a user without the right to wake others: the lock is released all the same, and does not count as lost
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start(['user narrow on >secret ~* +@all -rpush']);
$redis = $server->client();
$lock = new RedisLock($server->address(), ['username' => 'narrow', 'password' => 'secret', 'expire' => 300]);
echo outcome(fn () => $lock->once('k', fn () => null, function () use ($server, $redis) {
    $GLOBALS['waiter'] = remembering($server, '"another value"');
    await_blocked($redis, 1);
    return 'value';
})), "\n";
echo json_encode($lock->held()), "\n";
$waiter = null;
?>
--EXPECT--
'value'
[]
