--TEST--
Processes that wait for a lock on five servers: each is served, also when the first server goes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require __DIR__ . '/../wait/remote.inc';

$ring = new Ring(5);
$lock = new RedisLock($ring->dsns(), ['node_timeout' => 1.0]);
$waiter = fn () => Worker::start('
    $lock = new RedisLock(explode(" ", $argv[1]), ["node_timeout" => 1.0]);
    echo "ready\n";
    var_dump($lock->lock("x", 20.0), $lock->unlock("x"));
', [implode(' ', $ring->dsns())]);
foreach ([false, true] as $kill) {
    $lock->lock('x');
    $workers = [$waiter(), $waiter(), $waiter()];
    array_map(fn ($worker) => $worker->readLine(), $workers);
    is_so('they wait', wait_until(fn () => $ring->blocked() === 3), $ring->blocked());
    if ($kill) {
        $ring[0]->kill();
    }
    took_between('all are served', seconds(function () use ($lock, $workers) {
        $lock->unlock('x');
        foreach ($workers as $worker) {
            echo str_replace("\n", ' ', $worker->output()), "\n";
        }
    }), 0.0, 5.0);
    $ring->isClean();
}
$lock->lock('x');
is_so('not in time', (new RedisLock($ring->dsns()))->lock('x', 0.3) === false);
is_so('nobody waits', wait_until(fn () => $lock->waiters('x') === 0, 1.0 + held_up())); // its goodbye may be under way
?>
--EXPECT--
they wait: yes
bool(true) bool(true) 
bool(true) bool(true) 
bool(true) bool(true) 
all are served: yes
nothing is left: yes
they wait: yes
bool(true) bool(true) 
bool(true) bool(true) 
bool(true) bool(true) 
all are served: yes
nothing is left: yes
not in time: yes
nobody waits: yes
