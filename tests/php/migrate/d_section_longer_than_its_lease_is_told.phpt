--TEST--
Row D: its leases never ended while a section ran; now a section longer than $expire is told so by unlock()
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
$old = new OldNamedLocks($server->client());
$other = new OldNamedLocks($server->client());
$old->lock('x', 0, 1);
usleep(1300000);
is_so('old: after 1.3 s of a lease of 1 s nobody else gets it', $other->lock('x') === false);
is_so('old: unlock says true', $old->unlock('x'));

$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);
$lock->lock('x', 0, 1);
is_so('ours: while its lease of 1 s lasts nobody else gets it', $other->lock('x') === false);
usleep(1300000);
is_so('ours: somebody else gets it after 1.3 s', $other->lock('x'));
is_so('ours: isLocking says false', $lock->isLocking('x') === false);
is_so('ours: unlock says false', $lock->unlock('x') === false);
is_so("ours: the other's lock stays", $server->client()->cmd('EXISTS', 'Lock:x') === 1);
?>
--EXPECT--
old: after 1.3 s of a lease of 1 s nobody else gets it: yes
old: unlock says true: yes
ours: while its lease of 1 s lasts nobody else gets it: yes
ours: somebody else gets it after 1.3 s: yes
ours: isLocking says false: yes
ours: unlock says false: yes
ours: the other's lock stays: yes
