--TEST--
Row D: with the prefix, the lease and auto_release in php.ini, new RedisLock() stays as it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--INI--
redislock.prefix="Lock:"
redislock.expire=15
redislock.auto_release=0
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_named_locks.inc';

$server = RedisServer::start();
$redis = $server->client();
$old = new OldNamedLocks($server->client());
ini_set('redislock.servers', $server->dsn());

$lock = new RedisLock();
if ($lock->lock('x')) {
    is_so('the key is the old one', all_keys($redis) === ['Lock:x'], all_keys($redis));
    is_between('so is the lease', $redis->cmd('PTTL', 'Lock:x'), 14000, 15000);
    is_so('the old class is kept out', $old->lock('x') === false);
    unset($lock);
    is_so('it outlives its object', all_keys($redis) === ['Lock:x'], all_keys($redis));
}
?>
--EXPECT--
the key is the old one: yes
so is the lease: yes
the old class is kept out: yes
it outlives its object: yes
