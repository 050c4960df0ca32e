--TEST--
attach() with the token that holds the lock: from now on it is this object's
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$request = new RedisLock($server->dsn(), ['auto_release' => false]);
$worker = new RedisLock($server->dsn());

$request->lock('x', expire: 20);
$token = $request->detach('x');
var_dump($worker->attach('x', $token));
var_dump($worker->token('x') === $token, $worker->isLocking('x'));
is_between('remaining', $worker->remaining('x'), 15, 20);
var_dump($worker->unlock('x'), all_keys($server->client()));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
remaining: yes
bool(true)
array(0) {
}
