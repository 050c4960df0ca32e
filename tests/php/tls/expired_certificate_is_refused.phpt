--TEST--
A certificate whose time is over is refused
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

$tls = TlsServer::start(["days" => 0]);
sleep(2);
echo try_lock($tls->dsn(), ["cafile" => $tls->authority]), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://127.0.0.1: TLS: certificate has expired (certificate verify failed) (lock "x")
