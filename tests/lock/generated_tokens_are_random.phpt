--TEST--
A generated token is rl: and 32 hex digits, new for each acquisition
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
$lock = new RedisLock($server->dsn());

$tokens = [];
for ($i = 0; $i < 100; $i++) {
    $lock->lock('x');
    $tokens[] = $lock->token('x');
    $lock->unlock('x');
}
var_dump($tokens[0]);
var_dump(count(array_unique($tokens)), count(preg_grep('/^rl:[0-9a-f]{32}$/', $tokens)));
?>
--EXPECTF--
string(35) "rl:%x"
int(100)
int(100)
