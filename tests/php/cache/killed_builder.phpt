--TEST--
remember(): when the one that builds is killed, a waiter builds as soon as the lease is over
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$redis = $server->client();
$builder = building($server, options: ['expire' => slow(2.0)]);
$began = now();
$waiters = [remembering($server, '"built " . getmypid()'), remembering($server, '"built " . getmypid()')];
await_blocked($redis, 2, slow(10));
$builder->signal('KILL');
$values = array_map(fn ($waiter) => $waiter->readLine(), $waiters);
is_so('one of them built', $values[0] === $values[1] && str_contains($values[0], 'built'), $values);
took_between('s', now() - $began, 1.5, 6);
?>
--EXPECT--
one of them built: yes
s: yes
