--TEST--
A lease at a server with TLS is renewed, over a session of the thread's own
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../tls/tls.inc';

$tls = TlsServer::start();
$redis = $tls->server->client();
$lock = new RedisLock($tls->dsn(), ['tls' => ['cafile' => $tls->authority], 'expire' => lease(0.8), 'connect_timeout' => 10, 'read_timeout' => 10, 'renew' => true]);
var_dump($lock->lock('x'));
is_so('it stays', stays($redis, 'lock:x', lease(1.2)));
$redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
is_so('and over new sessions', stays($redis, 'lock:x', lease(1.2)));
var_dump($lock->unlock('x'));
?>
--EXPECT--
bool(true)
it stays: yes
and over new sessions: yes
bool(true)
