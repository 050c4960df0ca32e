--TEST--
A lock that too few replicas have is given back, and the exception says how many have it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated();
$lock = $servers->lock();
$servers->pauseOne();

$e = thrown(fn () => answered(fn () => $lock->lock('x', expire: 0.4))); // half of the lease
echo get_parent_class($e), " $e->lockName $e->redisError\n";
took_between('it took', seconds(fn () => outcome(fn () => $lock->lock('x', expire: 1.0))), 0.5, 0.7);
thrown(fn () => answered(fn () => $lock->lock('x', expire: 0.4, token: 'mine')));
thrown(fn () => answered(fn () => $lock->synchronized('x', fn () => print("THE SECTION RAN\n"), expire: 0.4)));
thrown(fn () => answered(fn () => $lock->lockAll(['a', 'b'], expire: 0.4)));
$short = $servers->lock(['expire' => 0.4]);
thrown(fn () => answered(fn () => $short->remember('r', fn () => print("IT WAS BUILT\n"), 60)));
thrown(fn () => answered(fn () => $short->once('o', fn () => null, fn () => print("IT WAS BUILT\n"))));
echo 'held: ', json_encode([$lock->held(), $short->held(), $lock->remaining('x')]), "\n";
echo 'left: ', $servers->left(), "\n";

echo "Within the time of the call\n"; // less a round trip, if that is slow
$patient = $servers->lock(['expire' => 60, 'read_timeout' => 0.2]);
took_between('read_timeout', seconds(fn () => outcome(fn () => $patient->lock('x'))), 0.2, 0.4);
took_between('timeout', seconds(fn () => outcome(fn () => $lock->lock('x', 0.3, 60.0))), 0.25 - held_up(), 0.35);
took_between('no timeout', seconds(fn () => outcome(fn () => $lock->lock('x', 0, 60.0))), 0.9 - held_up(), 1.05);

$other = new RedisLock($servers->server->dsn(), ['replicas' => 1, 'read_timeout' => 20.0]);
var_dump($other->lock('x'), $lock->lock('x', expire: 0.4));
?>
--EXPECTF--
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "x")
RedisLockException x NOREPLICAS
it took: yes
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "x")
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "x")
RedisLockServerException: unix://%s: the locks reached 1 of 2 replicas within 200 ms
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "r")
RedisLockServerException: unix://%s: the lock reached 1 of 2 replicas within 200 ms (lock "o")
held: [[],[],0]
left: 
Within the time of the call
read_timeout: yes
timeout: yes
no timeout: yes
bool(true)
bool(false)
