--TEST--
A server that speaks no TLS is refused, and is sent nothing of ours
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

$server = RedisServer::start(tcp: true);
echo try_lock("rediss://127.0.0.1:" . $server->port()), "\n";
var_dump(all_keys($server->client()));
?>
--EXPECTREGEX--
RedisLockConnectionException: rediss:\/\/127\.0\.0\.1: TLS: .* does not speak TLS on this port \(lock "x"\)
array\(0\) \{
\}
