--TEST--
Row B: with the prefix, the wait and auto_release in php.ini, new RedisLock() stays as it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--INI--
redislock.prefix=TEST_LOCK
redislock.timeout=5
redislock.auto_release=0
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_token_lock.inc';

$server = RedisServer::start();
$redis = $server->client();
$old = new OldTokenLock($server->client());
ini_set('redislock.servers', $server->dsn());

$lock = new RedisLock();
if ($lock->lock('account:1')) {
    is_so('the key is the old one', all_keys($redis) === ['TEST_LOCKaccount:1'], all_keys($redis));
    is_between('the lease is 30 s', $redis->cmd('PTTL', 'TEST_LOCKaccount:1'), 29000, 30000);
    is_so('the old class is kept out', $old->lock('account:1', 1) === false);
    unset($lock);
    is_so('it outlives its object', all_keys($redis) === ['TEST_LOCKaccount:1'], all_keys($redis));
}
?>
--EXPECT--
the key is the old one: yes
the lease is 30 s: yes
the old class is kept out: yes
it outlives its object: yes
