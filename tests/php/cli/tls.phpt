--TEST--
redislock over TLS: with the options of RedisLock, and not without the right authority
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../tls/tls.inc';

$tls = TlsServer::start(['subjectAltName' => 'DNS:redis.example.com,IP:127.0.0.1']);
(new RedisLock($tls->dsn(), ['tls' => ['cafile' => $tls->authority], 'auto_release' => false]))->lock('SKU0001');

/** Returns what it says of it. */
function look(string ...$args): string
{
    $run = cli([...$args, 'ls', '--json']);
    echo $run->status === 0 ? json_encode(array_column($run->json(), 'name')) : 'refused', " => $run->status\n";
    return $run->err;
}

look('--server=' . $tls->dsn(), "--tls=cafile=$tls->authority");
look('--server=' . $tls->dsn('localhost'), "--tls=cafile=$tls->authority", '--tls=peer_name=redis.example.com');
look('--server=' . $tls->dsn('localhost'), "--tls=cafile=$tls->authority", '--tls=verify_peer_name=0');
look('--server=' . preg_replace('/^rediss/', 'VALKEYS', $tls->dsn()), "--tls=cafile=$tls->authority");
look('--server=' . $tls->dsn('localhost'), '--tls=verify_peer=0', '--tls=verify_peer_name=no');
look('--server=' . $tls->dsn('localhost'), "--tls=cafile=$tls->authority");
look('--server=' . $tls->dsn());
$plain = RedisServer::start(tcp: true);
// Its answer depends on whether a line ends in the random bytes that it is sent.
is_so('it says so', preg_match('/does not speak TLS on this port$/m', $said = look('--server=rediss://127.0.0.1:' . $plain->port())) === 1, $said);
?>
--EXPECT--
["SKU0001"] => 0
["SKU0001"] => 0
["SKU0001"] => 0
["SKU0001"] => 0
["SKU0001"] => 0
refused => 3
refused => 3
refused => 3
it says so: yes
