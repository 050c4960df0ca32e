--TEST--
Row B: its $timeout was wait and lease; here the lease is the option expire, or the third argument
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_token_lock.inc';

$server = RedisServer::start();
$redis = $server->client();
$old = new OldTokenLock($server->client());
$id = $old->lock('account:1', 60);
is_between('old, 60: the lease is 60 s', $redis->cmd('PTTL', 'TEST_LOCKaccount:1'), 59000, 60000);
$old->unlock('account:1', $id);

$lock = new RedisLock($server->dsn(), ['prefix' => 'TEST_LOCK', 'timeout' => 5, 'auto_release' => false]);
$lock->lock('account:1', 60);
is_between('ours, 60: the lease is 30 s', $redis->cmd('PTTL', 'TEST_LOCKaccount:1'), 29000, 30000);
$lock->unlock('account:1');
$lock->lock('account:1', 60, 60);
is_between('ours, 60, 60: the lease is 60 s', $redis->cmd('PTTL', 'TEST_LOCKaccount:1'), 59000, 60000);
$lock->unlock('account:1');
$lock->lock('account:1', 2);
is_between('ours, 2: the lease is 30 s, longer than before', $redis->cmd('PTTL', 'TEST_LOCKaccount:1'), 29000, 30000);
?>
--EXPECT--
old, 60: the lease is 60 s: yes
ours, 60: the lease is 30 s: yes
ours, 60, 60: the lease is 60 s: yes
ours, 2: the lease is 30 s, longer than before: yes
