--TEST--
A generated token is rl: and 32 hex digits, new for each acquisition; behind them it tells of its owner, unless that is empty
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['owner' => '']);

$tokens = [];
for ($i = 0; $i < 100; $i++) {
    $lock->lock('x');
    $tokens[] = $lock->token('x');
    $lock->unlock('x');
}
var_dump($tokens[0]);
$named = new RedisLock($server->dsn(), ['owner' => 'the shop']);
$named->lock('x');
var_dump($named->token('x'));
var_dump(count(array_unique($tokens)), count(preg_grep('/^rl:[0-9a-f]{32}$/', $tokens)));
?>
--EXPECTF--
string(35) "rl:%x"
string(57) "rl:%x:-%x:the shop"
int(100)
int(100)
