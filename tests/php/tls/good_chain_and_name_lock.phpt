--TEST--
A server whose certificate is signed by the authority and names the host: by address, and by name
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
echo try_lock($tls->dsn(), ["cafile" => $tls->authority]), "\n";
echo try_lock($tls->dsn("localhost"), ["cafile" => $tls->authority]), "\n";
?>
--EXPECTF--
locked
locked
