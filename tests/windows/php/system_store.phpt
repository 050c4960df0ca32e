--TEST--
An authority is trusted that is in the system's store, and only since then
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
if (PHP_OS_FAMILY !== 'Windows') {
    die('skip only Windows has such a store');
}
?>
--FILE--
<?php
require __DIR__ . '/../../php/tls/tls.inc';

const STORE = 'HKCU\Software\Microsoft\SystemCertificates\Root\Certificates';

/** As the system keeps it: the number of the property that is the certificate itself, one, the length, the bytes. */
function trust(string $file): void
{
    preg_match('~-----BEGIN CERTIFICATE-----(.*)-----END~s', file_get_contents($file), $part);
    $certificate = base64_decode($part[1]);
    $blob = pack('V3', 32, 1, strlen($certificate)) . $certificate;
    exec('reg add ' . STORE . '\\' . strtoupper(sha1($certificate)) . ' /v Blob /t REG_BINARY /d ' . bin2hex($blob) . ' /f', $said, $status);
    $status === 0 || print(implode("\n", $said));
}

exec('reg delete ' . STORE . ' /f 2>&1'); // what an earlier try has left: another authority of the same name
$tls = TlsServer::start();
$alone = TlsServer::start(['signed' => false]);
echo try_lock($tls->dsn()), "\n";
trust($tls->authority);
echo try_lock($tls->dsn()), "\n";
echo try_lock($alone->dsn()), "\n";
?>
--EXPECTF--
RedisLockConnectionException: rediss://127.0.0.1: TLS: self%Ssigned certificate in certificate chain (certificate verify failed) (lock "x")
locked
RedisLockConnectionException: rediss://127.0.0.1: TLS: self%Ssigned certificate (certificate verify failed) (lock "x")
