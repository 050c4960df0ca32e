--TEST--
A wrong password is a RedisLockConnectionException that names the server and shows no secret
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

$server = RedisServer::start(tcp: true, password: 'r1ght');
$lock = new RedisLock('redis://:wr0ng@127.0.0.1:' . $server->port());
$e = thrown(fn () => $lock->lock('x'));
var_dump($e->lockName, $e->server === 'redis://127.0.0.1:' . $server->port() . '/0', $e->redisError);
has_no_secret('exception', shown($e), 'wr0ng', 'r1ght');

$lock = new RedisLock($server->tcpDsn(':wr0ng'), ['password' => 'r1ght']); // what the DSN says counts
echo outcome(fn () => $lock->lock('x')), "\n";
?>
--EXPECTF--
RedisLockConnectionException: %s
string(1) "x"
bool(true)
string(9) "WRONGPASS"
exception: no secret
RedisLockConnectionException WRONGPASS
