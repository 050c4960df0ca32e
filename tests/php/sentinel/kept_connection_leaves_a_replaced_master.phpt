--TEST--
A connection that is kept leads to a master that was replaced and does not know it: from the next second on, locks are taken at the new one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(downAfter: SOON_DOWN, cuttable: true);
$old = $set->master();
$lock = new RedisLock($set->dsn(), ['expire' => 30.0] + $set->options);
$lock->lock('before');
await_replicated($set);
$set->cuts[0]->servers(); // clients still reach it, and it goes on granting locks
$new = $set->awaitPromotion($old);
usleep(1_000_000);
var_dump($lock->lock('x'));
is_so('at the new master', $new->client()->cmd('GET', 'lock:x') === $lock->token('x'));
is_so('not at the old one', $old->client()->cmd('GET', 'lock:x') === null);
var_dump($lock->unlock('x'), $lock->unlock('before'));
is_so('what was taken before is released there', $new->client()->cmd('EXISTS', 'lock:before') === 0);

// No sentinel can be asked: the connection is kept, and costs no call more than the time of a question.
array_map(fn ($sentinel) => $sentinel->pause(), $set->sentinels);
usleep(1_000_000);
$began = now();
var_dump($lock->lock('y'));
took_between('a lock while no sentinel answers', now() - $began, 0.0, 0.5);
array_map(fn ($sentinel) => $sentinel->resume(), $set->sentinels);
?>
--EXPECT--
bool(true)
at the new master: yes
not at the old one: yes
bool(true)
bool(true)
what was taken before is released there: yes
bool(true)
a lock while no sentinel answers: yes
