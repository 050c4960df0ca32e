--TEST--
A fork has neither its parent's leases nor its thread: it renews what it takes itself, and its end leaves the parent's alone
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/renew.inc';
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../lifecycle/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'renew' => true]);
$lock->lock('x');
await_renewed();
$threads = threads();
foreach (['exit' => fn () => null, 'unset' => function () {
    unset($GLOBALS['lock']);
}, 'SIGKILL' => fn () => posix_kill(getmypid(), SIGKILL)] as $label => $end) {
    echo "$label\n";
    in_a_fork(function () use ($lock, $server, $threads, $end) {
        echo 'child, threads less: ', $threads - threads(), ', holds ', json_encode([$lock->held(), $lock->remaining('x'), $lock->unlock('x'), $lock->expire('x')]), "\n";
        $lock->lock('y');
        is_so('child, its own lock stays', stays($server->client(), 'lock:y', lease(0.9)) && $lock->remaining('y') > 0);
        echo 'child, threads less: ', $threads - threads(), ', releases ', json_encode([$lock->unlock('y'), $lock->unlockAll()]), "\n";
        flush();
        $end();
    });
    is_so('parent, its lock stays', stays($redis, 'lock:x', lease(0.7)) && $lock->remaining('x') > 0);
}
echo 'parent, threads less: ', $threads - threads(), ', releases ', json_encode($lock->unlock('x')), "\n";
print_r(all_keys($redis));
?>
--EXPECT--
exit
child, threads less: 1, holds [[],0,false,false]
child, its own lock stays: yes
child, threads less: 0, releases [true,true]
parent, its lock stays: yes
unset
child, threads less: 1, holds [[],0,false,false]
child, its own lock stays: yes
child, threads less: 0, releases [true,true]
parent, its lock stays: yes
SIGKILL
child, threads less: 1, holds [[],0,false,false]
child, its own lock stays: yes
child, threads less: 0, releases [true,true]
the fork was ended by signal 9
parent, its lock stays: yes
parent, threads less: 0, releases true
Array
(
)
