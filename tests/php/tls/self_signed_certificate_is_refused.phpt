--TEST--
A certificate that signs itself is refused
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

$tls = TlsServer::start(["signed" => false]);
echo try_lock($tls->dsn(), ["cafile" => $tls->authority]), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://127.0.0.1: TLS: self%Ssigned certificate (certificate verify failed) (lock "x")
