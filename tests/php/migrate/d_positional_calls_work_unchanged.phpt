--TEST--
Row D: lock($name), lock($name, $timeout) and lock($name, $timeout, $expire) work as they stand, on the old key
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
$old = new OldNamedLocks($server->client());

$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]); // the one line
foreach ([[15, ['x']], [15, ['x', 5]], [20, ['x', 5, 20]], [20, ['x', '5', '20']]] as [$lease, $args]) {
    $call = 'lock(' . implode(', ', array_map(json_encode(...), $args)) . ')';
    if ($lock->lock(...$args)) {
        is_so("$call: the key is the old one", all_keys($redis) === ['Lock:x'], all_keys($redis));
        is_between("the lease is $lease s", $redis->cmd('PTTL', 'Lock:x'), $lease * 1000 - 1000, $lease * 1000);
        is_so('the old class is kept out', $old->lock('x') === false);
        is_so('unlock($name) says true', $lock->unlock('x'));
    }
    is_so('no key is left', all_keys($redis) === [], all_keys($redis));
}

is_so('the old class gets it now', $old->lock('x'));
is_so('and keeps ours out', $lock->lock('x') === false);
$took = seconds(fn () => is_so('also from one that waits', $lock->lock('x', 1) === false));
took_between('which waited 1 s', $took, 0.99, 1.2);
is_so('ours cannot release it', $lock->unlock('x') === false && $redis->cmd('EXISTS', 'Lock:x') === 1);
?>
--EXPECT--
lock("x"): the key is the old one: yes
the lease is 15 s: yes
the old class is kept out: yes
unlock($name) says true: yes
no key is left: yes
lock("x", 5): the key is the old one: yes
the lease is 15 s: yes
the old class is kept out: yes
unlock($name) says true: yes
no key is left: yes
lock("x", 5, 20): the key is the old one: yes
the lease is 20 s: yes
the old class is kept out: yes
unlock($name) says true: yes
no key is left: yes
lock("x", "5", "20"): the key is the old one: yes
the lease is 20 s: yes
the old class is kept out: yes
unlock($name) says true: yes
no key is left: yes
the old class gets it now: yes
and keeps ours out: yes
also from one that waits: yes
which waited 1 s: yes
ours cannot release it: yes
