--TEST--
Redlock: leases are renewed on the majority that answers while one of three servers stands still, and lost without a majority
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$clients = array_map(fn ($server) => $server->client(), $servers);
$lock = new RedisLock(array_map(fn ($server) => $server->dsn(), $servers), ['expire' => lease(1), 'node_timeout' => slow(0.05), 'renew' => true]);
var_dump($lock->lock('x'));
await_renewed();
$servers[1]->pause();
held_up_from_now();
is_so('renewed on two of three', await_renewed(4));
is_between('remaining', $lock->remaining('x'), 0.2, lease(1));
is_between('first, TTL', $clients[0]->cmd('PTTL', 'lock:x'), 200, lease(1000));
is_between('third, TTL', $clients[2]->cmd('PTTL', 'lock:x'), 200, lease(1000));
$servers[1]->resume();
is_so('renewed on three of three', await_renewed(2));
var_dump($lock->isLocking('x'));

foreach ([0, 1] as $i) {
    $clients[$i]->cmd('DEL', 'lock:x');
}
is_so('noticed', wait_until(fn () => $lock->remaining('x') === 0.0, lease(1)));
var_dump($lock->unlock('x'));
?>
--EXPECT--
bool(true)
renewed on two of three: yes
remaining: yes
first, TTL: yes
third, TTL: yes
renewed on three of three: yes
bool(true)
noticed: yes
bool(false)
