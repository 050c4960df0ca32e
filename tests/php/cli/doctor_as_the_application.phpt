--TEST--
redislock doctor as the application's own user, who may see little: UNKNOWN, and everything that it may not see is told
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

$server = RedisServer::start([...HEALTHY, 'user shop on >secret ' . implode(' ', minimal_rights())]);
$dsn = $server->address('shop:secret');
$said = diagnose('shop', $dsn);
preg_match('/^ok: .*/m', cli(['--server=env:LOCKS', 'doctor'], ['LOCKS' => $dsn])->out, $found);
echo "$found[0]\n";
foreach (['latency', 'connections', 'database'] as $check) {
    type_commands($server->client(), array_merge(...array_column(about($said, $check), 'commands')));
}
diagnose('as it says', $dsn);
?>
--EXPECT--
shop => 3
  the status is that of the exit: yes
  unknown, memory: INFO is refused: whether it may delete locks (maxmemory-policy), and what it keeps on disk, is not known; allow INFO
  not checked, latency: PING is refused: the round trip is that of the refusal; allow PING
  not checked, database: SCAN is refused: whether other keys are in this database, which somebody may empty, is not known; allow SCAN
  not checked, connections: INFO is refused: how many more may connect is not known; allow INFO
  not checked, disk: INFO is refused: what a restart would end is not known; allow INFO
  not checked, replicas: INFO is refused: whether replicas are up to date is not known; allow INFO
  not checked, latency: SLOWLOG GET and LATENCY LATEST refused: what made it pause lately is not known; allow it
  not checked, rights: the rights of shop were not checked: whoever asks needs +acl|dryrun; log in as a user that has it, and say --user=shop
  not checked, leftovers: SCAN is refused: what is left in the database is not known; allow it
ok: lock, role, clock
  $ redis-cli -s SOCKET ACL SETUSER shop +ping
  $ redis-cli -s SOCKET ACL SETUSER shop '+slowlog|get'
  $ redis-cli -s SOCKET ACL SETUSER shop '+latency|latest'
  $ redis-cli -s SOCKET ACL SETUSER shop +info
  $ redis-cli -s SOCKET ACL SETUSER shop +scan
as it says => 0
  the status is that of the exit: yes
  not checked, disk: CONFIG GET is refused: how much a crash of the machine would lose (appendfsync) is not known; allow CONFIG GET, or see the console of the service
  not checked, rights: the rights of shop were not checked: whoever asks needs +acl|dryrun; log in as a user that has it, and say --user=shop
