--TEST--
Row A: the old class unlocked in one object what another had locked; ours says false and the lock stays
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_request_id_lock.inc';

$server = RedisServer::start();
$redis = $server->client();

$one = new OldRequestIdLock($server->client());
$two = new OldRequestIdLock($server->client());
is_so('old: one locks, two unlocks', $one->lock('SKU0001') && $two->unlock('SKU0001'));

$one = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]);
$two = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]);
is_so('ours: one locks', $one->lock('SKU0001'));
is_so('two gets false', $two->unlock('SKU0001') === false);
is_so('the lock stays', $redis->cmd('GET', 'SKU0001') === $one->token('SKU0001'));
is_so('one unlocks', $one->unlock('SKU0001'));

is_so('with its token two can', $one->lock('SKU0001') && $two->unlock('SKU0001', $one->token('SKU0001')));
is_so('no key is left', all_keys($redis) === [], all_keys($redis));
?>
--EXPECT--
old: one locks, two unlocks: yes
ours: one locks: yes
two gets false: yes
the lock stays: yes
one unlocks: yes
with its token two can: yes
no key is left: yes
