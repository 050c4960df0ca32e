--TEST--
redislock doctor: what has stopped the server lately, by name and without what was asked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

$server = RedisServer::start([...HEALTHY, 'enable-debug-command local', 'slowlog-log-slower-than 10000']);
$redis = $server->client();
$redis->cmd('DEBUG', 'SLEEP', '0.6');
read_timeout(1.0);
$said = diagnose('for half of the time that a call waits', $server->dsn());
is_so('its name', (bool) preg_match('/^it stood still for \d+ ms for a command of the last hour, DEBUG: /', about($said, 'latency')[0]['what']), $said);
is_so('and no more of it', !str_contains(json_encode($said), 'SLEEP'), $said);
$redis->cmd('SLOWLOG', 'RESET');
$redis->cmd('DEBUG', 'SLEEP', '0.15');
$redis->cmd('DEBUG', 'SLEEP', '0.15');
read_timeout(60.0);
$said = diagnose('shorter', $server->dsn());
is_so('how often', (bool) preg_match('/, the longest of [2-9]:/', about($said, 'latency')[0]['what'] . ':'), $said);
$redis->cmd('CONFIG', 'SET', 'slowlog-log-slower-than', '-1');
$redis->cmd('SLOWLOG', 'RESET');
$redis->cmd('SET', 'large', 'x');
$redis->cmd('CONFIG', 'SET', 'lazyfree-lazy-user-del', 'no');
$said = diagnose('others delete large keys here', $server->dsn());
type_commands($redis, about($said, 'latency')[0]['commands']);
diagnose('as it says', $server->dsn());
?>
--EXPECT--
for half of the time that a call waits => 1
  the status is that of the exit: yes
  warning, latency: it stood still for N ms for a command of the last hour, DEBUG: calls that take longer than 1.0 s (read_timeout) fail, and leases are not renewed meanwhile; find who sends it, and have it send less at once
its name: yes
and no more of it: yes
shorter => 0
  the status is that of the exit: yes
  note, latency: it stood still for N ms for a command of the last hour, DEBUG, the longest of 2: locks wait for that; find who sends it, and have it send less at once
how often: yes
others delete large keys here => 0
  the status is that of the exit: yes
  note, database: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
  note, latency: others keep data here, and whoever deletes a large key of theirs stops the server for as long as that takes; have it deleted in the background
  $ redis-cli -s SOCKET CONFIG SET lazyfree-lazy-user-del yes
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
  note, database: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
