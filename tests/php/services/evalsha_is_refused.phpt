--TEST--
A server without EVALSHA and SCRIPT: all works, by EVAL, after one refused request a connection
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';

$server = RedisServer::start(['rename-command EVALSHA ""', 'rename-command SCRIPT ""']);
use_service($server->dsn());

$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('x', 1);
$lock->expire('x', 60);
$lock->unlock('x');
$lock->owner('x');
echo implode(' ', $wire->requests()), "\n";
?>
--EXPECT--
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
waits, and is handed it over: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits for a task: yes
EVALSHA EVAL EVAL EVAL EVAL
