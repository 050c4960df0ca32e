--TEST--
remember(): what the rebuild throws reaches its own caller only, and the one that came next builds
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
$first = building($server);
$second = remembering($server, '(print("builds\n")) && fgets(STDIN) ? "second" : 0');
await_blocked($redis, 1, slow(10));
$third = remembering($server, '"third"');
await_blocked($redis, 2, slow(10));

$first->tell('');
echo 'first: ', $first->output();
echo 'second: ', $second->readLine(), "\n";
is_so('the third waits', blocked($redis) === 1);
$second->tell('go on');
echo 'second: ', $second->readLine(), "\n";
echo 'third: ', $third->readLine(), "\n";
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECT--
first: DomainException: no value
second: builds
the third waits: yes
second: "second"
third: "second"
{lock:k}:rl:value
