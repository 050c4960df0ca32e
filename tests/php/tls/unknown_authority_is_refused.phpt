--TEST--
Without its authority a server is refused by default, and only by verify_peer => false it is not
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . "/../inc/skipif.inc";
?>
--FILE--
<?php
require __DIR__ . "/tls.inc";

$tls = TlsServer::start();
echo try_lock($tls->dsn()), "\n";
echo try_lock($tls->dsn(), ["verify_peer" => false]), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://127.0.0.1: TLS: %s (certificate verify failed) (lock "x")
locked
