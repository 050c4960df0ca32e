--TEST--
Row B: where lock() is followed by token(), the callers' unlock($name, $id) stays as it is, on the old key
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
$lock = new RedisLock($server->dsn(), ['prefix' => 'TEST_LOCK', 'timeout' => 5, 'auto_release' => false]);

$id = $lock->lock('account:1') ? $lock->token('account:1') : false; // the line that changes
if ($id) {
    is_so('the key is the old one', all_keys($redis) === ['TEST_LOCKaccount:1'], all_keys($redis));
    is_so('the id is what stands in it', $redis->cmd('GET', 'TEST_LOCKaccount:1') === $id);
    is_so('the old class is kept out', $old->lock('account:1', 1) === false);
    is_so('a wrong id releases nothing', $lock->unlock('account:1', uniqid()) === false && $redis->cmd('GET', 'TEST_LOCKaccount:1') === $id);
    is_so('unlock($name, $id) says true', $lock->unlock('account:1', $id));
}
is_so('no key is left', all_keys($redis) === [], all_keys($redis));

$held = $old->lock('account:1');
is_so('the old class keeps ours out', is_string($held) && $lock->lock('account:1', 0) === false);
is_so('and releases its own', $old->unlock('account:1', $held));
?>
--EXPECT--
the key is the old one: yes
the id is what stands in it: yes
the old class is kept out: yes
a wrong id releases nothing: yes
unlock($name, $id) says true: yes
no key is left: yes
the old class keeps ours out: yes
and releases its own: yes
