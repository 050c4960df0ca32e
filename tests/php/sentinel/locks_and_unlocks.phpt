--TEST--
Each call about a lock works by way of sentinels, also in another database and with fences
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start();
$redis = $set->master()->client();
foreach ([null => $set->dsn(), 2 => $set->dsn(2), 3 => $set->dsn() . '?db=3'] as $database => $dsn) {
    $redis->cmd('SELECT', (int) $database);
    $lock = new RedisLock($dsn, ['fencing' => true] + $set->options);
    $other = new RedisLock($dsn, ['fencing' => true] + $set->options);
    var_dump($lock->lock('x', expire: 20.0), $other->lock('x'), $lock->isLocking('x'), $other->owner('x') === $lock->token('x'));
    is_so('it is there', $redis->cmd('GET', 'lock:x') === $lock->token('x'));
    var_dump($lock->expire('x', 30.0), $lock->unlock('x'), $redis->cmd('EXISTS', 'lock:x'));
    $first = $lock->lock('x') ? $lock->fence('x') : null;
    $token = $lock->detach('x');
    var_dump($other->attach('x', $token), $other->waiters('x'), $other->forceUnlock('x'), $other->isLocking('x'));
    is_so('fences grow', $lock->lock('x') && $lock->fence('x') > $first);
    var_dump($lock->synchronized('y', fn () => 'done'), $lock->unlockAll());
}
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(true)
it is there: yes
bool(true)
bool(true)
int(0)
bool(true)
int(0)
bool(true)
bool(false)
fences grow: yes
string(4) "done"
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
it is there: yes
bool(true)
bool(true)
int(0)
bool(true)
int(0)
bool(true)
bool(false)
fences grow: yes
string(4) "done"
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
it is there: yes
bool(true)
bool(true)
int(0)
bool(true)
int(0)
bool(true)
bool(false)
fences grow: yes
string(4) "done"
bool(true)
