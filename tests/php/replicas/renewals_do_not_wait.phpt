--TEST--
Renewals in the background wait for no replica
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated(1);
$lock = $servers->lock(['renew' => true]);
$lock->lock('x', expire: 0.6);
$servers->pauseOne();
is_so('it is renewed', wait_until(fn () => $lock->stats()['renewed'] >= 3));
var_dump($lock->lost('x'), $servers->waits());
var_dump($lock->unlock('x'));
?>
--EXPECT--
it is renewed: yes
bool(false)
int(1)
bool(true)
