--TEST--
Row D: a key that a dead process left locked for 50 years keeps ours out, waits included; forceUnlock() frees it
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_named_locks.inc';

$server = RedisServer::start();
$redis = $server->client();
(new OldNamedLocks($server->client()))->lock('x'); // and dies
is_so('the lease is more than 50 years', $redis->cmd('TTL', 'Lock:x') > 50 * 365 * 86400, $redis->cmd('TTL', 'Lock:x'));

$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);
is_so('ours does not get it', $lock->lock('x', 0.3) === false);
is_so('owner() is the second at which it should have ended', abs((int) $lock->owner('x') - time() - 15) <= 2, $lock->owner('x'));
is_so('forceUnlock', $lock->forceUnlock('x'));
is_so('ours gets it', $lock->lock('x'));
?>
--EXPECT--
the lease is more than 50 years: yes
ours does not get it: yes
owner() is the second at which it should have ended: yes
forceUnlock: yes
ours gets it: yes
