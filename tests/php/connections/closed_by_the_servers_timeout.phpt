--TEST--
The server's own timeout for idle clients: the next call goes over a new connection
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start(['timeout 1'], tcp: true);
$redis = $server->client();
foreach ([$server->dsn(), $server->tcpDsn()] as $dsn) {
    $lock = new RedisLock($dsn);
    var_dump($lock->lock('x'));
    is_so('it was closed', wait_until(fn () => clients($redis) === [])); // asking keeps the raw client itself alive
    var_dump($lock->isLocking('x'), $lock->unlock('x'));
}
?>
--EXPECT--
bool(true)
it was closed: yes
bool(true)
bool(true)
bool(true)
it was closed: yes
bool(true)
bool(true)
