--TEST--
After a failover the connections that were kept lead to the new master: the old one, a replica now, is asked nothing
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
$locks = array_map(fn () => new RedisLock($set->dsn(), $set->options), range(1, 3));
foreach ($locks as $i => $lock) {
    $lock->lock("x$i");
}
await_replicated($set);
$old = $set->master();
$new = $set->failover();
foreach ($locks as $i => $lock) {
    is_so("lock $i is there still", $lock->isLocking("x$i"));
}
$before = request_calls($old->client());
foreach ($locks as $i => $lock) {
    var_dump($lock->unlock("x$i"), $lock->lock('y', 1.0), $lock->unlock('y'));
}
is_so('the old one was asked nothing', request_calls($old->client()) === $before);
$connections = RedisLock::stats()['connections'];
for ($i = 0; $i < 20; $i++) {
    $locks[$i % 3]->lock('z');
    $locks[$i % 3]->unlock('z');
}
is_so('and no connection is made anew', RedisLock::stats()['connections'] === $connections);
?>
--EXPECT--
lock 0 is there still: yes
lock 1 is there still: yes
lock 2 is there still: yes
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
the old one was asked nothing: yes
and no connection is made anew: yes
