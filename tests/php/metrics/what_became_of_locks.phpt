--TEST--
metrics() counts what becomes of locks, by groups of their names
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
$server->client()->cmd('SET', 'lock:crowd1', 'somebody');
$server->client()->cmd('ZADD', '{lock:crowd1}:rl:wait', (string) ((time() + 600) * 1000), 'a waiter');
$metrics = json_decode(Worker::run('
    $lock = new RedisLock($argv[1]);
    $other = new RedisLock($argv[1]);
    $named = new RedisLock($argv[1], ["metrics_group" => "nightly 7"]);
    for ($i = 0; $i < 5; $i++) {
        $lock->lock("stock:SKU$i");
        $i < 4 && $lock->unlock("stock:SKU$i");
    }
    $other->lock("stock:SKU4");                             // held
    $other->lock("stock:SKU4", 0.01);                       // timed out
    (new RedisLock($argv[1], ["max_waiters" => 1]))->lock("42");
    $named->synchronized("job", fn () => usleep(20000));
    $lock->lockAll(["order1", "order2"]);
    $other->lockAll(["order2", "order3"]);                  // held, once
    $lock->unlockAll();
    $crowded = new RedisLock($argv[1], ["max_waiters" => 1]);
    $crowded->lock("crowd1", 10.0);                         // full
    $crowded->lockAll(["crowd1", "crowd2"], 10.0);          // full
    $token = $lock->lock("moved") ? $lock->detach("moved") : null;
    $other->unlock("moved", $token);
    $other->attach("adopted", $lock->lock("adopted") ? $lock->detach("adopted") : "");
    $other->unlock("adopted");
    $lock->lock("lost");
    (new RedisLock($argv[1]))->forceUnlock("lost");
    $lock->unlock("lost");
    foreach ([0, 1] as $ignored) {
        $lock->remember("page:1", fn () => 1, 60);
    }
    try {
        (new RedisLock("redis://127.0.0.1:1"))->lock("away");
    } catch (RedisLockConnectionException) {
    }
    echo json_encode(RedisLock::metrics());
', [$server->dsn()], options: counts_in($folder->path)), true);

ksort($metrics['machine']['groups']);
ksort($metrics['process']['groups']);
foreach ($metrics['machine']['groups'] as $name => $group) {
    echo "$name: ", told($group), "\n";
}
is_so('the process has the same', $metrics['process'] === $metrics['machine']);
echo told($metrics['machine']['errors']), "\n";
is_so('no problem', $metrics['problem'] === null, $metrics['problem']);
is_so('connections', $metrics['machine']['connections'] >= 1);
$hold = $metrics['machine']['groups']['nightly 7']['hold'];
is_so('the hold took 20 ms', $hold['sum'] >= 0.02 && array_sum(array_slice($hold['counts'], 0, 7)) === 0, $hold);
is_so('bounds', count($metrics['bounds']) === count($hold['counts']) - 1 && $metrics['bounds'][0] === 0.000128 && end($metrics['bounds']) === 134.217728);
$later = metrics_in($folder->path);
ksort($later['machine']['groups']);
is_so('they outlive the process', $later['machine'] == $metrics['machine']);
is_so('which counted by itself', $later['process'] === null);
?>
--EXPECT--
adopted: acquired 1, released 1, wait 1
away: failed 1
crowd: full 2
lost: acquired 1, lost 1, wait 1
moved: acquired 1, released 1, wait 1
nightly 7: acquired 1, released 1, wait 1, hold 1
order: acquired 2, released 2, held 1, wait 2, hold 2
other: acquired 1, released 1, wait 1, hold 1
page: acquired 1, released 1, value_fresh 1, wait 1, hold 1
stock: acquired 5, released 5, timed_out 1, held 1, wait 5, hold 5
the process has the same: yes
unreachable 1
no problem: yes
connections: yes
the hold took 20 ms: yes
bounds: yes
they outlive the process: yes
which counted by itself: yes
