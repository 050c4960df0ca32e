--TEST--
redislock doctor: an eviction policy that may delete locks is CRITICAL, and what it says is to be typed mends it
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
$redis = $server->client();
$redis->cmd('CONFIG', 'SET', 'maxmemory-policy', 'volatile-lru');
$said = diagnose('volatile-lru', $server->dsn());
type_commands($redis, about($said, 'memory')[0]['commands']);
diagnose('as it says', $server->dsn());

$redis->cmd('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
$redis->cmd('CONFIG', 'SET', 'maxmemory', '0');
diagnose('a policy without a limit', $server->dsn());
?>
--EXPECT--
volatile-lru => 2
  the status is that of the exit: yes
  critical, memory: maxmemory-policy is volatile-lru: when its memory is full, it deletes locks that are held; use noeviction
  $ redis-cli -s SOCKET CONFIG SET maxmemory-policy noeviction
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
a policy without a limit => 0
  the status is that of the exit: yes
