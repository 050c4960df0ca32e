--TEST--
Without the right to WAIT no lock is taken that asks for replicas, and none is left
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated(1);
$redis = $servers->server->client();
$redis->cmd('ACL', 'SETUSER', 'half', 'reset', 'on', '>secret', ...[...array_diff(minimal_rights(), ['+wait']), '~*']);
$dsn = $servers->server->address('half:secret');
$lock = new RedisLock($dsn, ['replicas' => 1]);
echo outcome(fn () => $lock->lock('x')), "\n";
echo outcome(fn () => $lock->lockAll(['x', 'y'])), "\n";
echo outcome(fn () => $lock->remember('r', fn () => 1, 60)), "\n";
echo 'left: ', implode(' ', $servers->keys()), "\n";
var_dump((new RedisLock($dsn))->lock('x'));
?>
--EXPECT--
RedisLockServerException NOPERM
RedisLockServerException NOPERM
RedisLockServerException NOPERM
left: 
bool(true)
