--TEST--
After a release of unknown outcome the object can enter the next section as soon as the server says so
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

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
@$lock->synchronized('x', fn () => $server->pause()); // it warns that the lock may stay
$server->resume();

// The server ran the release as soon as it could.
is_so('free', wait_until(fn () => $lock->owner('x') === null));
thrown(fn () => $lock->synchronized('x', fn () => 'next section'));
?>
--EXPECT--
free: yes
nothing thrown, returned 'next section'
