--TEST--
Row A: with the prefix and auto_release in php.ini, new RedisLock() stays as it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--INI--
redislock.prefix=
redislock.auto_release=0
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_request_id_lock.inc';

$server = RedisServer::start();
$redis = $server->client();
$old = new OldRequestIdLock($server->client());
ini_set('redislock.servers', $server->dsn());

$lock = new RedisLock();
if ($lock->lock('SKU0001')) {
    is_so('the key is the old one', all_keys($redis) === ['SKU0001'], all_keys($redis));
    is_between('so is the lease', $redis->cmd('PTTL', 'SKU0001'), 29000, 30000);
    is_so('the old class is kept out', $old->lock('SKU0001') === false);
    unset($lock);
    is_so('it outlives its object', all_keys($redis) === ['SKU0001'], all_keys($redis));
}
?>
--EXPECT--
the key is the old one: yes
so is the lease: yes
the old class is kept out: yes
it outlives its object: yes
