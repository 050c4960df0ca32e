--TEST--
capath names a folder, in which the authority is found by the name of its file; one that is not there has none
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/tls.inc';

$tls = TlsServer::start();
$folder = $tls->folderOfAuthority();
echo try_lock($tls->dsn(), ['capath' => $folder]), "\n";
echo try_lock($tls->dsn(), ['capath' => "$folder-not-there"]), "\n";
echo try_lock($tls->dsn(), ['cafile' => "$folder-not-there"]), "\n";
?>
--EXPECTF--
locked
RedisLockConnectionException: rediss://127.0.0.1: TLS: %s (certificate verify failed) (lock "x")
RedisLockConnectionException: rediss://127.0.0.1: TLS: cafile or capath cannot be loaded%S (lock "x")
