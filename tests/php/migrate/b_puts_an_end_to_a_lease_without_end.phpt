--TEST--
Row B: while the old class runs beside ours, it gives a lock of ours that has no end one of its own: no INF before it is gone
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
$lock = new RedisLock($server->dsn(), ['prefix' => 'TEST_LOCK', 'timeout' => 5, 'auto_release' => false]);
$old = new OldTokenLock($server->client());

$lock->lock('account:1', 0, INF);
is_so('without end', $redis->cmd('PTTL', 'TEST_LOCKaccount:1') === -1);
is_so('the old class does not get it', $old->lock('account:1', 2) === false || $redis->cmd('GET', 'TEST_LOCKaccount:1') !== $lock->token('account:1'));
is_so('but it has an end now', $redis->cmd('PTTL', 'TEST_LOCKaccount:1') !== -1);
?>
--EXPECT--
without end: yes
the old class does not get it: yes
but it has an end now: yes
