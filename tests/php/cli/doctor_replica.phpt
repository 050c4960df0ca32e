--TEST--
redislock doctor of a replica: CRITICAL, with where its master is
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

$server = RedisServer::start(HEALTHY);
$server->client()->cmd('REPLICAOF', '127.0.0.1', '1');
$said = diagnose('a replica', $server->dsn());
?>
--EXPECTF--
a replica => 2
  the status is that of the exit: yes
  critical, role: this is a replica, which refuses locks; connect to its master, HOST:PORT
  critical, lock: it cannot be locked on: READONLY %s
