--TEST--
A certificate for another address is refused, and one for a name does not do for an address
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

$tls = TlsServer::start(["subjectAltName" => "IP:127.0.0.9"]);
echo try_lock($tls->dsn(), ["cafile" => $tls->authority]), "\n";
$tls = TlsServer::start(["subjectAltName" => "DNS:127.0.0.1"]);
echo try_lock($tls->dsn(), ["cafile" => $tls->authority]), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://127.0.0.1: TLS: the certificate is not for 127.0.0.1 (lock "x")
RedisLockConnectionException: rediss://127.0.0.1: TLS: the certificate is not for 127.0.0.1 (lock "x")
