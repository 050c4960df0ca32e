--TEST--
redislock doctor: the room that is left in memory, before and after lock() throws
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
for ($i = 0; $i < 64; $i++) { // each is in some buffers for a while, too
    $redis->cmd('SET', "lock:fills:$i", str_repeat('x', 1 << 19), 'EX', '1000');
}
foreach ([0.5, 0.83, 0.95] as $part) {
    $limit = (int) (server_info($redis, 'memory')['used_memory'] / $part);
    $redis->cmd('CONFIG', 'SET', 'maxmemory', (string) $limit);
    $said = diagnose((string) $part, $server->dsn());
}
[$command] = about($said, 'memory')[0]['commands'];
is_so('twice as much', str_ends_with($command, ' CONFIG SET maxmemory ' . 2 * $limit), $command);
$redis->cmd('CONFIG', 'SET', 'maxmemory', '1mb');
diagnose('full', $server->dsn());
?>
--EXPECTF--
0.5 => 0
  the status is that of the exit: yes
0.83 => 0
  the status is that of the exit: yes
  note, memory: %d % of maxmemory are used: when it is full, lock() throws (OOM); give it more
0.95 => 1
  the status is that of the exit: yes
  warning, memory: more than 90 % of maxmemory are used: when it is full, lock() throws (OOM); give it more
twice as much: yes
full => 2
  the status is that of the exit: yes
  critical, lock: it cannot be locked on: OOM %s
  warning, memory: more than 90 % of maxmemory are used: when it is full, lock() throws (OOM); give it more
