--TEST--
unix:///path, its scheme in capitals too, and with a login that is empty
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
$lock = new RedisLock('unix://' . $server->socket());
var_dump($lock->lock('x'), $server->client()->cmd('EXISTS', 'lock:x'));
var_dump((new RedisLock('UNIX://' . $server->login() . $server->socket()))->lock('UNIX'));
var_dump((new RedisLock('unix://:@' . $server->socket(), ['username' => '', 'password' => '', 'database' => '']))->lock('empty'));
// Nobody has logged in.
var_dump(preg_match('/^cmdstat_(auth|hello):/m', $server->client()->cmd('INFO', 'commandstats')));
?>
--EXPECT--
bool(true)
int(1)
bool(true)
bool(true)
int(0)
