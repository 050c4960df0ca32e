--TEST--
The reply to an acquisition is lost for good: an exception, and what it took is given back
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn(), ['connect_timeout' => slow(0.2), 'read_timeout' => slow(0.2)]);
$lock->lock('warm-up');
$lock->unlock('warm-up');

$wire->silence('SET');
$wire->silence('SET', 1);
$wire->silence('SET', 2);
echo outcome(fn () => $lock->lock('x')), "\n";
is_so('nothing is left', wait_until(fn () => all_keys($redis) === [], 2), all_keys($redis));
var_dump($lock->held());
?>
--EXPECT--
RedisLockConnectionException
nothing is left: yes
array(0) {
}
