--TEST--
env:NAME and the setting may name several servers, and stand beside others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(5);
$dsns = $ring->dsns();
putenv('REDISLOCK_TEST_THREE=' . implode(" \n", array_slice($dsns, 0, 3)));
putenv("REDISLOCK_TEST_ONE=$dsns[3]");
$held = function (RedisLock $lock) use ($ring): void {
    $lock->lock('x', expire: 60.0);
    echo count(array_filter($ring->values('lock:x'))) >= 2 ? 'held' : 'NOT HELD', ' on ';
    wait_until(fn () => !in_array(null, $ring->values('lock:x'), true), 0.2);
    echo implode(' ', array_keys(array_filter($ring->values('lock:x')))), "\n";
    $lock->unlock('x');
    $ring->isClean();
};
$held(new RedisLock('env:REDISLOCK_TEST_THREE'));
$held(new RedisLock(['env:REDISLOCK_TEST_THREE', $dsns[4], 'env:REDISLOCK_TEST_ONE']));
ini_set('redislock.servers', "env:REDISLOCK_TEST_THREE $dsns[4]");
$held(new RedisLock());
ini_set('redislock.servers', "$dsns[0] $dsns[1]\t$dsns[2]");
$held(new RedisLock());

echo "The same one again:\n";
putenv("REDISLOCK_TEST_ONE=$dsns[1]");
thrown(fn () => (new RedisLock(['env:REDISLOCK_TEST_THREE', 'env:REDISLOCK_TEST_ONE']))->lock('x'));
putenv('REDISLOCK_TEST_ONE=redis://user:secret@a/ redis://b:b');
$thrown = thrown(fn () => (new RedisLock(['env:REDISLOCK_TEST_ONE', 'env:REDISLOCK_TEST_THREE']))->lock('x'));
has_no_secret('the message', shown($thrown), 'secret', 'user');
?>
--EXPECTF--
held on 0 1 2
nothing is left: yes
held on 0 1 2 3 4
nothing is left: yes
held on 0 1 2 4
nothing is left: yes
held on 0 1 2
nothing is left: yes
The same one again:
RedisLockConnectionException: %s: the environment variable REDISLOCK_TEST_ONE must hold a server: the same server is named twice%S
RedisLockConnectionException: %s: the environment variable REDISLOCK_TEST_ONE must hold a server: %s
the message: no secret
