--TEST--
A late reply never meets another call: the connection is not used again
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
$lock = new RedisLock($wire->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
$lock->lock('a', token: 'token-a');
$lock->lock('b', token: 'token-b');
$lock->owner('a');

$wire->delay(slow(0.15));
echo outcome(fn () => $lock->owner('a')), "\n"; // its reply comes 0.2 s later
$wire->delay(0);
var_dump($lock->owner('b'), $lock->owner('a'));
usleep((int) slow(300000));
var_dump($lock->owner('b'), $lock->owner('a'));
?>
--EXPECT--
RedisLockConnectionException
string(7) "token-b"
string(7) "token-a"
string(7) "token-b"
string(7) "token-a"
