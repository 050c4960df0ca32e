--TEST--
A certificate for another host is refused, also where the chain is not checked; peer_name says whose it shall be
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

$tls = TlsServer::start(["subjectAltName" => "DNS:redis.example"]);
$ca = ["cafile" => $tls->authority];
echo try_lock($tls->dsn("localhost"), $ca), "\n";
echo try_lock($tls->dsn("localhost"), ["verify_peer" => false]), "\n";
echo try_lock($tls->dsn("localhost"), $ca + ["verify_peer_name" => false]), "\n";
echo try_lock($tls->dsn("localhost"), $ca + ["peer_name" => "redis.example"]), "\n";
echo try_lock($tls->dsn("localhost"), $ca + ["peer_name" => "other.example"]), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://localhost: TLS: the certificate is not for localhost (lock "x")
RedisLockConnectionException: rediss://localhost: TLS: the certificate is not for localhost (lock "x")
locked
locked
RedisLockConnectionException: rediss://localhost: TLS: the certificate is not for other.example (lock "x")
