--TEST--
A server that wants to see a certificate of the client: with one, and without
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

$tls = TlsServer::start([], ["tls-auth-clients yes"]);
[$certificate, $key] = $tls->issue("client", []);
$ca = ["cafile" => $tls->authority];
echo try_lock($tls->dsn(), $ca + ["local_cert" => $certificate, "local_pk" => $key]), "\n";
echo try_lock($tls->dsn(), $ca), "\n";
echo try_lock($tls->dsn(), $ca + ["local_cert" => "/nowhere.crt"]), "\n";
?>
--EXPECTF--
locked
RedisLockConnectionException: rediss://127.0.0.1: %s (lock "x")
RedisLockConnectionException: rediss://127.0.0.1: TLS: local_cert cannot be loaded%S (lock "x")
