--TEST--
A certificate without a DNS name is for no host, whatever its common name is
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

$tls = TlsServer::start(["commonName" => "localhost", "subjectAltName" => null]);
echo try_lock($tls->dsn("localhost"), ["cafile" => $tls->authority]), "\n";
$tls = TlsServer::start(["commonName" => "localhost", "subjectAltName" => "IP:127.0.0.1"]);
echo try_lock($tls->dsn("localhost"), ["cafile" => $tls->authority]), "\n";
echo try_lock($tls->dsn("127.0.0.1"), ["cafile" => $tls->authority]), "\n";
$tls = TlsServer::start(["commonName" => "127.0.0.1", "subjectAltName" => null]);
echo try_lock($tls->dsn("127.0.0.1"), ["cafile" => $tls->authority]), "\n";
?>
--EXPECT--
RedisLockConnectionException: rediss://localhost: TLS: the certificate is not for localhost (lock "x")
RedisLockConnectionException: rediss://localhost: TLS: the certificate is not for localhost (lock "x")
locked
RedisLockConnectionException: rediss://127.0.0.1: TLS: the certificate is not for 127.0.0.1 (lock "x")
