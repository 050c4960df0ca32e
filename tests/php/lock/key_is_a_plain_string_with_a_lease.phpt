--TEST--
The lock is the key prefix + name, a plain string of the owner token, with the lease as its TTL
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());

var_dump($lock->lock('SKU0001', expire: 20));
print_r(all_keys($redis));
var_dump($redis->cmd('TYPE', 'lock:SKU0001'));
var_dump($redis->cmd('GET', 'lock:SKU0001') === $lock->token('SKU0001'));
$ttl = $redis->cmd('PTTL', 'lock:SKU0001');
var_dump($ttl > 15000 && $ttl <= 20000);
?>
--EXPECT--
bool(true)
Array
(
    [0] => lock:SKU0001
)
string(6) "string"
bool(true)
bool(true)
