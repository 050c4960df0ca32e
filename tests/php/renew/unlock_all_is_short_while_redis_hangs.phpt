--TEST--
unlockAll() of 300 renewed locks waits for one answer that is under way, not for that of each
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['expire' => 3, 'renew' => true, 'connect_timeout' => 0.2, 'read_timeout' => 0.2]);
$lock->lockAll(array_map(fn ($i) => "x$i", range(1, 300)));
await_renewed(300);
$server->pause();
usleep(1_300_000); // they are due after 1 s
held_up_from_now();
$start = hrtime(true);
echo outcome(fn () => $lock->unlockAll()), "\n";
took_between('seconds', (hrtime(true) - $start) / 1e9, 0, 0.9);
$server->resume();
?>
--EXPECT--
RedisLockConnectionException
seconds: yes
