--TEST--
Something else listens there and talks: RedisLockConnectionException
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$listener = stream_socket_server('tcp://127.0.0.1:0');
$port = substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
// It is in the listen queue, and says nothing.
$lock = new RedisLock("redis://127.0.0.1:$port", ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
took_between('seconds', seconds(function () use ($lock) {
    thrown(fn () => $lock->lock('x'));
}), 0.09, 0.2);
?>
--EXPECTF--
RedisLockConnectionException: %s
seconds: yes
