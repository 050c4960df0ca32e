--TEST--
forget() removes the value, and one that is being built meanwhile is not kept
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
$lock = new RedisLock($server->dsn());
var_dump($lock->forget('k'));
$lock->remember('k', fn () => 'old', 60);
var_dump($lock->forget('k'), all_keys($redis));

$builder = building($server);
$waiter = remembering($server, '"up to date"');
await_blocked($redis, 1);
var_dump($lock->forget('k'));
echo $waiter->output();
$builder->tell('out of date');
echo $builder->output();
var_dump($lock->remember('k', fn () => 'BUILT AGAIN', 60));

$lock->lock('held'); // for something else
var_dump((new RedisLock($server->dsn()))->forget('held'), $lock->unlock('held'));
?>
--EXPECT--
bool(false)
bool(true)
array(0) {
}
bool(false)
"up to date"
"out of date"
string(10) "up to date"
bool(false)
bool(true)
