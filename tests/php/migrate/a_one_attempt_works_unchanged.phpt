--TEST--
Row A: lock($name) and unlock($name) work as they stand once the prefix is '', on the old key
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
$old = new OldRequestIdLock($server->client());

$lock = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]); // the one line that changes
if ($lock->lock('SKU0001')) {
    is_so('the key is the bare name', all_keys($redis) === ['SKU0001'], all_keys($redis));
    is_between('the lease is 30 s', $redis->cmd('PTTL', 'SKU0001'), 29000, 30000);
    is_so('the old class is kept out', $old->lock('SKU0001') === false);
    is_so('the old class cannot release it', $old->unlock('SKU0001') === false);
    is_so('unlock($name) says true', $lock->unlock('SKU0001') === true);
}
is_so('no key is left', all_keys($redis) === [], all_keys($redis));

is_so('the old class gets it now', $old->lock('SKU0001'));
$entered = false;
if ($lock->lock('SKU0001')) {
    $entered = true;
}
is_so('the old class keeps ours out', !$entered);
is_so('ours cannot release it', $lock->unlock('SKU0001') === false && $redis->cmd('EXISTS', 'SKU0001') === 1);
?>
--EXPECT--
the key is the bare name: yes
the lease is 30 s: yes
the old class is kept out: yes
the old class cannot release it: yes
unlock($name) says true: yes
no key is left: yes
the old class gets it now: yes
the old class keeps ours out: yes
ours cannot release it: yes
