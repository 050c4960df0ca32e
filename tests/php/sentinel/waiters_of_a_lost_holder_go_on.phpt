--TEST--
A holder whose lock was lost with the old master, since no replica had it: the waiters get it at the new one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(downAfter: 2500, cuttable: true);
$options = ['read_timeout' => 0.5] + $set->options;
$waiters = Remote::startMany(3, $set->dsn(), $options);
$set->cuts[0]->servers();
$holder = Remote::start($set->dsn(), $options);
$holder->call('lock', 'x', null, 60.0);
$token = $holder->call('token', 'x');
line_up($set->servers[0]->client(), $waiters, 'x', slow(30.0), 0.02);
$set->cuts[0]->all();
$new = $set->awaitPromotion($set->servers[0]);
is_so('it has not got it', $new->client()->cmd('GET', 'lock:x') !== $token);
$answers = array_map(fn ($waiter) => $waiter->answer(slow(30.0)), $waiters);
$turns = array_column($answers, 'result');
is_so('each had its turn', count(array_filter(array_column($turns, 'released'))) === 3, $answers);
is_safe_if($set->master() === $new, 'alone among those', overlaps($turns) === 0, $turns);
var_dump(ends_by_itself($holder, 'isLocking', 'x'), $holder->call('unlock', 'x'));
?>
--EXPECT--
it has not got it: yes
each had its turn: yes
alone among those: yes
bool(false)
bool(false)
