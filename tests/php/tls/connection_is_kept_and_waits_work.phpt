--TEST--
A connection with TLS serves many calls, a waiter is woken through it, and a script that is unknown is sent again
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
$options = ["tls" => ["cafile" => $tls->authority]];
$a = new RedisLock($tls->dsn(), $options);
$b = new RedisLock($tls->dsn(), $options);
for ($i = 0; $i < 200; $i++) {
    $a->lock("x") && $a->unlock("x") || print("not had\n");
}
var_dump(RedisLock::stats()["connections"]);
$tls->server->client()->cmd("SCRIPT", "FLUSH");
var_dump($a->lock("x", expire: 1.0), $b->lock("x", 5), $b->isLocking("x"), $b->unlock("x"));
?>
--EXPECTF--
int(1)
bool(true)
bool(true)
bool(true)
bool(true)
