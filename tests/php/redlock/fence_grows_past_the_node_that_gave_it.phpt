--TEST--
A fence that one node was ahead with is known to the next holder, also when that node is gone
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(3);
$lock = new RedisLock($ring->dsns(), ['fencing' => true, 'node_timeout' => 2.0]);
$lock->lock('x');
$first = $lock->fence('x');
$lock->unlock('x');

$ahead = $first + 1_000_000_000; // as of a node whose clock is some minutes ahead
$ring[2]->client()->cmd('SET', '{lock:x}:rl:fence', $ahead);
$ring[0]->pause(); // so that a majority needs that one
$lock->lock('x');
is_so('it is larger', $lock->fence('x') === $ahead + 1, $lock->fence('x'));
$lock->unlock('x');
$ring[0]->resume();
$ring[2]->kill();
is_so('had without it', $lock->lock('x', 1.0));
is_so('and larger', $lock->fence('x') > $ahead + 1, $lock->fence('x'));
$adopted = new RedisLock($ring->dsns(), ['fencing' => true, 'auto_release' => false]);
is_so('attached', $adopted->attach('x', $lock->token('x')));
is_so('the same', $adopted->fence('x') === $lock->fence('x'), [$adopted->fence('x'), $lock->fence('x')]);
?>
--EXPECT--
it is larger: yes
had without it: yes
and larger: yes
attached: yes
the same: yes
