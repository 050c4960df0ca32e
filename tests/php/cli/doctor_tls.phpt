--TEST--
redislock doctor over TLS: with the options of RedisLock, and commands that say so
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';
require __DIR__ . '/../tls/tls.inc';

$tls = TlsServer::start(['subjectAltName' => 'IP:127.0.0.1'], ['tls-auth-clients no', 'appendonly yes', 'appendfsync no']);
$said = diagnose('the right authority', $tls->dsn(), "--tls=cafile=$tls->authority");
echo same_each_time(about($said, 'disk')[0]['commands'][0]), "\n";
$run = cli(['--server=' . $tls->dsn(), 'doctor']);
echo "none => $run->status ", preg_match('/: it cannot be reached: .*certificate verify failed/', strtok($run->out, "\n"), $found) ? 'certificate verify failed' : $run->out, "\n";
?>
--EXPECT--
the right authority => 1
  the status is that of the exit: yes
  warning, disk: appendfsync is no: a crash of the machine ends the locks of the last half minute; use everysec
redis-cli -h 127.0.0.1 -p PORT --tls CONFIG SET appendfsync everysec
none => 2 certificate verify failed
