--TEST--
redislock doctor: what a restart or a crash would cost
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
$redis->cmd('CONFIG', 'SET', 'appendfsync', 'no');
type_commands($redis, about(diagnose('never synced', $server->dsn()), 'disk')[0]['commands']);
diagnose('as it says', $server->dsn());

$redis->cmd('CONFIG', 'SET', 'appendonly', 'no');
$said = diagnose('nothing on disk', $server->dsn());
$redis->cmd('CONFIG', 'SET', 'save', '3600 1');
$redis->cmd('SAVE');
$redis->cmd('SET', 'lock:a', 'rl:x', 'EX', '1000');
diagnose('snapshots', $server->dsn(), '--strict');
type_commands($redis, about($said, 'disk')[0]['commands']);
diagnose('as it says', $server->dsn());
?>
--EXPECT--
never synced => 1
  the status is that of the exit: yes
  warning, disk: appendfsync is no: a crash of the machine ends the locks of the last half minute; use everysec
  $ redis-cli -s SOCKET CONFIG SET appendfsync everysec
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
nothing on disk => 1
  the status is that of the exit: yes
  warning, disk: it keeps nothing on disk: a restart ends all locks; use appendonly yes
snapshots => 1
  the status is that of the exit: yes
  note, disk: it keeps snapshots only: a crash ends the locks that came after the last one; use appendonly yes
  note, disk: what a crash now would undo: N of its writes, all since DATE UTC; use appendonly yes, or save more often
  $ redis-cli -s SOCKET CONFIG SET appendonly yes
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
