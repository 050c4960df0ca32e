--TEST--
A user without rights to a command of a script: NOPERM too, though Redis words it as ERR
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

$server = RedisServer::start(['user worker on >w0rk ~* &* +@all -set']);
$lock = new RedisLock($server->dsn(), ['username' => 'worker', 'password' => 'w0rk']);
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->redisError, all_keys($server->client()));
?>
--EXPECTF--
RedisLockServerException: %s
string(6) "NOPERM"
array(0) {
}
