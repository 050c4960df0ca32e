--TEST--
A Redis that stands still for longer than the lease, or comes back without the lock: the lease ends for its holder in time
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'renew' => true]);
foreach (['stands still' => 'pause', 'comes back empty' => 'restart'] as $label => $fault) {
    $before = RedisLock::stats();
    $lock->lock('x');
    await_renewed();
    $server->$fault();
    held_up_from_now();
    took_between("$label: seconds until nothing remains", seconds(fn () => wait_until(fn () => $lock->remaining('x') === 0.0)), 0, lease(0.6) + 0.05);
    is_so("$label: counted", wait_until(fn () => RedisLock::stats()['lost_while_held'] === $before['lost_while_held'] + 1, 5));
    usleep(100_000); // by its own clock, which the holder's allows for, Redis keeps the lock for some ms more
    $fault !== 'pause' || $server->resume();
    var_dump($lock->unlock('x'));
}
?>
--EXPECT--
stands still: seconds until nothing remains: yes
stands still: counted: yes
bool(false)
comes back empty: seconds until nothing remains: yes
comes back empty: counted: yes
bool(false)
