--TEST--
Row D: unlockAll(), expire($name, $expire) and isLocking($name) work as they stand
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);

is_so('nothing held: isLocking is false', $lock->isLocking('x') === false);
is_so('nothing held: expire is false', $lock->expire('x', 40) === false);
$lock->lock('x');
$lock->lock('y', 0, 10);
is_so('isLocking', $lock->isLocking('x') === true);
is_so('expire', $lock->expire('x', 40) === true);
is_between('lengthens the lease', $redis->cmd('PTTL', 'Lock:x'), 39000, 40000);
is_so('unlockAll', $lock->unlockAll() === true);
is_so('no key is left', all_keys($redis) === [], all_keys($redis));

$lock->lock('x');
$lock->lock('y');
$redis->cmd('SET', 'Lock:y', time() + 15); // the old class's repair took it meanwhile
is_so('isLocking compares', $lock->isLocking('y') === false);
is_so('unlockAll: one was lost', $lock->unlockAll() === false);
is_so('the thief keeps it', all_keys($redis) === ['Lock:y'], all_keys($redis));
?>
--EXPECT--
nothing held: isLocking is false: yes
nothing held: expire is false: yes
isLocking: yes
expire: yes
lengthens the lease: yes
unlockAll: yes
no key is left: yes
isLocking compares: yes
unlockAll: one was lost: yes
the thief keeps it: yes
