--TEST--
The thread starts with the first lease that is renewed, one for all of them; without any there is none
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/renew.inc';
skip_without_proc();
?>
--INI--
redislock.renew=1
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$at_first = threads();
$more = fn (string $when) => print("$when: " . (threads() - $at_first) . "\n");

$lock = new RedisLock($server->dsn());
$more('an object');
$lock->lock('x', renew: false);
$lock->expire('x', 10);
$lock->lockAll(['y', 'z'], renew: false);
$lock->synchronized('s', fn () => null, renew: false);
$lock->attach('x', $lock->token('x'), renew: false);
$more('leases that are not renewed');
$lock->lock('x', renew: true);
$more('a lock that is held already');
$lock->lock('r');
$more('one that is renewed');
$other = new RedisLock($server->dsn(), ['renew' => true, 'persistent' => false]);
$other->lockAll(['a', 'b']);
$more('more of them');
$lock->unlockAll();
$other->unlockAll();
$lock->lock('x');
$more('another one after these');
?>
--EXPECT--
an object: 0
leases that are not renewed: 0
a lock that is held already: 0
one that is renewed: 1
more of them: 1
another one after these: 1
