--TEST--
Two of five servers are black holes, from the connection on or later: no time is lost on them; three of five are an exception in time, and nothing is left
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require __DIR__ . '/../budget/faults.inc';

$ring = new Ring(4);
$folder = new PrivateFolder();
$holes = array_map(fn ($backlog) => (new Listener('tcp', $folder, $backlog))->fill(), [1, 2, 3]); // who connects hears nothing
$wire = new Wire($ring[3]);
$options = ['node_timeout' => 0.5, 'connect_timeout' => 1.0, 'read_timeout' => 1.0];
$round = function (RedisLock $lock): void {
    for ($i = 0; $i < 5; $i++) {
        $lock->lock('x', expire: 60.0) && $lock->expire('x', 60.0) && $lock->isLocking('x') && $lock->unlock('x') or print("NO\n");
    }
};

$dsns = [$ring[0]->dsn(), $holes[0]->dsn, $ring[1]->dsn(), $holes[1]->dsn, $ring[2]->dsn()];
took_between('two that take no connection', seconds(fn () => $round(new RedisLock($dsns, $options))), 0.0, 0.45);

$dsns = [$wire->dsn(), $holes[0]->dsn, $ring[0]->dsn(), $ring[1]->dsn(), $ring[2]->dsn()];
$lock = new RedisLock($dsns, $options);
$round($lock);
$wire->silence();
took_between('and one whose answers are swallowed later', seconds(fn () => $round($lock)), 0.0, 0.45);

$dsns = [$ring[0]->dsn(), $ring[1]->dsn(), ...array_map(fn ($hole) => $hole->dsn, $holes)];
$lock = new RedisLock($dsns, $options);
took_between('three are too many', seconds(fn () => print(outcome(fn () => $lock->lock('y', expire: 60.0)) . "\n")), 0.0, 1.05 + GRACE);
$wire->heal();
$ring->isClean();
?>
--EXPECT--
two that take no connection: yes
and one whose answers are swallowed later: yes
RedisLockConnectionException
three are too many: yes
nothing is left: yes
