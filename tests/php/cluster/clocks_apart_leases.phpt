--TEST--
Leases where the nodes' clocks are 10 s apart: a failover to a node ahead ends them that much earlier, to one behind later; a slot that moves keeps them
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../inc/clock.inc';
skip_without_clocks();
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/clock.inc';

/** The seconds for which a node keeps a lock. */
function kept(RedisServer $node, string $name): float
{
    return $node->client()->cmd('PTTL', "lock:$name") / 1000;
}

servers_have_clocks();
$cluster = Cluster::start();
[$first, $second, $third] = $cluster->masters();
$options = ['persistent' => false];
$holder = new RedisLock($cluster->dsn(), $options);
$other = new RedisLock($cluster->dsn(), $options);
$renewer = new RedisLock($cluster->dsn(), ['renew' => true] + $options);

// To a node ahead. The holder goes on to believe in what ends there at once.
[$replica] = $cluster->replicasOf($first);
$replica->setClock(10);
[$short, $long, $renewed] = array_map(fn ($nth) => $cluster->nameOn($first, nth: $nth), range(0, 2));
var_dump($holder->lock($short, expire: 9.5), $holder->lock($long, expire: 60.0), $renewer->lock($renewed, expire: 30.0));
$cluster->awaitReplicated($first);
$cluster->failover($replica);
is_so('ahead: the short one is gone there', kept($replica, $short) < 0);
is_so('while its holder believes in it', $holder->remaining($short) > 0);
is_so('another one gets it', $other->lock($short));
is_so('the holder finds that out', $holder->unlock($short) === false && $other->isLocking($short) && $other->unlock($short));
is_between('the long one lasts 10 s less there than its holder believes', $holder->remaining($long) - kept($replica, $long), 7, 11);
is_so('one that is renewed outlasts that', wait_until(fn () => kept($replica, $renewed) > 21, slow(15.0)), kept($replica, $renewed));
is_so('and is its holder\'s', $renewer->lost($renewed) === false && $renewer->unlock($renewed));
is_so('the long one is released', $holder->unlock($long));

// To a node behind, which keeps the lock for longer than its holder believes.
[$replica] = $cluster->replicasOf($second);
$replica->setClock(-10);
$name = $cluster->nameOn($second);
var_dump($holder->lock($name, expire: 60.0));
$cluster->awaitReplicated($second);
$cluster->failover($replica);
is_between('behind: 10 s more', kept($replica, $name) - $holder->remaining($name), 9, 13);
is_safe('nobody else gets it', !$other->lock($name));
is_so('its holder has it', $holder->unlock($name) && $other->lock($name) && $other->unlock($name));

// With a slot that moves goes what is left of a lease, not the time at which it ends.
$third->setClock(10);
$name = $cluster->nameOn($replica, 'y');
var_dump($holder->lock($name, expire: 60.0));
$cluster->migrate("lock:$name", $third);
is_between('moved: as its holder believes', kept($third, $name) - $holder->remaining($name), 0, 2);
is_so('its holder has it there', $holder->unlock($name) && $cluster->ownerOf("lock:$name") === $third);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
ahead: the short one is gone there: yes
while its holder believes in it: yes
another one gets it: yes
the holder finds that out: yes
the long one lasts 10 s less there than its holder believes: yes
one that is renewed outlasts that: yes
and is its holder's: yes
the long one is released: yes
bool(true)
behind: 10 s more: yes
nobody else gets it: yes
its holder has it: yes
bool(true)
moved: as its holder believes: yes
its holder has it there: yes
