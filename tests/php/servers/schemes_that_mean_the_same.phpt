--TEST--
valkey:// is redis://, valkeys:// is rediss://, and a scheme may have capital letters
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(tcp: true);
$at = $server->login() . '127.0.0.1:' . $server->port();
putenv("REDISLOCK_TEST_SERVER=Valkey://$at");

foreach (['redis', 'valkey', 'tcp', 'REDIS', 'Valkey', 'TCP'] as $scheme) {
    echo "$scheme: ", var_export((new RedisLock("$scheme://$at"))->lock($scheme), true), "\n";
}
echo 'ENV: ', var_export((new RedisLock('ENV:REDISLOCK_TEST_SERVER'))->lock('ENV'), true), "\n";
ini_set('redislock.servers', 'Env:REDISLOCK_TEST_SERVER');
echo 'INI: ', var_export((new RedisLock())->lock('INI'), true), "\n";
echo 'queue: ', var_export((new RedisQueue("VALKEY://$at"))->enqueue('x', 1), true), "\n";

// They are the same server, which is named in one way.
thrown(fn () => new RedisLock(["redis://$at", "VALKEY://$at"]));
// A message names it in one way too, and says whether it is asked over TLS.
foreach (['redis', 'VALKEY', 'Tcp', 'rediss', 'valkeys', 'VALKEYS', 'REDISS', 'TLS'] as $scheme) {
    try {
        (new RedisLock("$scheme://127.0.0.1:1"))->lock('x');
    } catch (RedisLockConnectionException $e) {
        echo "$scheme: $e->server\n";
    } catch (ValueError $e) { // TLS may be left out of a build
        echo "$scheme: ", str_contains($e->getMessage(), 'this build has no TLS') ? 'rediss://127.0.0.1:1/0' : $e->getMessage(), "\n";
    }
}
// A password in the setting is seen whatever the scheme.
var_dump(@ini_set('redislock.servers', "VALKEYS://:secret@127.0.0.1"));
thrown(fn () => new RedisLock('redis5://127.0.0.1'));
?>
--EXPECT--
redis: true
valkey: true
tcp: true
REDIS: true
Valkey: true
TCP: true
ENV: true
INI: true
queue: true
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
redis: redis://127.0.0.1:1/0
VALKEY: redis://127.0.0.1:1/0
Tcp: redis://127.0.0.1:1/0
rediss: rediss://127.0.0.1:1/0
valkeys: rediss://127.0.0.1:1/0
VALKEYS: rediss://127.0.0.1:1/0
REDISS: rediss://127.0.0.1:1/0
TLS: rediss://127.0.0.1:1/0
bool(false)
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix
