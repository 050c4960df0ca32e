--TEST--
redislock doctor of several servers: as long as a majority is sound, what is wrong with one is a WARNING
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

$servers = array_map(fn () => RedisServer::start(HEALTHY), range(1, 3));
$dsn = implode(' ', array_map(fn ($server) => $server->dsn(), $servers));
diagnose('three', $dsn);
$servers[1]->client()->cmd('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
$said = diagnose('one evicts', $dsn);
$servers[2]->kill();
$said = diagnose('another is down', $dsn);
is_so('the first line', str_starts_with($said['summary'], 'REDISLOCK CRITICAL - 3 servers: ' . $servers[1]->address() . ': maxmemory-policy is allkeys-lru: '), $said['summary']);
diagnose('two', implode(' ', [$servers[0]->dsn(), $servers[1]->dsn()]));
?>
--EXPECT--
three => 0
  the status is that of the exit: yes
one evicts => 1
  the status is that of the exit: yes
  warning, memory at 1: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; locks go on, as the other servers are a majority; use noeviction
another is down => 2
  the status is that of the exit: yes
  critical, memory at 1: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
  critical, lock at 1: it cannot be reached: Connection refused; see whether it runs, and whether it can be reached from here
the first line: yes
two => 2
  the status is that of the exit: yes
  critical, memory at 1: maxmemory-policy is allkeys-lru: when its memory is full, it deletes locks that are held; use noeviction
  note, servers: 2 servers tolerate no more failures than 1 would; use an odd number of servers
