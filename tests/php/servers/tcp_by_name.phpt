--TEST--
redis://localhost:port, a name that must be resolved
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(tcp: true);
$lock = new RedisLock('redis://localhost:' . $server->port());
// A machine without /etc/hosts does not know the name: that is an exception then.
$expected = gethostbyname('localhost') === 'localhost' ? 'RedisLockConnectionException' : 'true';
$outcome = outcome(fn () => $lock->lock('x'));
is_so('as the machine knows the name', $outcome === $expected, $outcome);
?>
--EXPECT--
as the machine knows the name: yes
