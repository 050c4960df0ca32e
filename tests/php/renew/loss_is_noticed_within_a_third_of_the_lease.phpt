--TEST--
A renewed lock that another client takes away: its object knows within a third of the lease, and each call says so
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
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => 1.5, 'renew' => true]);
$other = new RedisLock($server->dsn());

$lock->lock('x');
await_renewed();
$before = RedisLock::stats();
var_dump($other->forceUnlock('x'), $other->lock('x'));
took_between('seconds until nothing remains', seconds(fn () => wait_until(fn () => $lock->remaining('x') === 0.0)), 0, 0.6);
var_dump($lock->held(), $lock->token('x'), $lock->isLocking('x'), $lock->unlock('x'), $other->isLocking('x'));
$after = RedisLock::stats();
foreach (['lost_while_held', 'renewal_failures', 'lost', 'released'] as $count) {
    echo "$count: ", $after[$count] - $before[$count], "\n";
}

echo "synchronized\n";
$e = thrown(fn () => $lock->synchronized('y', function () use ($lock, $other) {
    $other->forceUnlock('y');
    wait_until(fn () => $lock->remaining('y') === 0.0);
    return 'the result';
}));
var_dump($e->result);

echo "unlockAll\n";
$lock->lockAll(['a', 'b']);
$other->forceUnlock('a');
wait_until(fn () => $lock->remaining('a') === 0.0);
var_dump(array_keys($lock->held()), $lock->unlockAll(), $lock->unlockAll());
?>
--EXPECTF--
bool(true)
bool(true)
seconds until nothing remains: yes
array(0) {
}
NULL
bool(false)
bool(false)
bool(true)
lost_while_held: 1
renewal_failures: 0
lost: 1
released: 0
synchronized
RedisLockLostException: unix://%s: the lock was lost before the section was over: the section took %s, the lease was 1.5 s%S (lock "y")
string(10) "the result"
unlockAll
array(1) {
  [0]=>
  string(1) "b"
}
bool(false)
bool(true)
