--TEST--
redislock doctor: each right that the application's user lacks is named, with what that costs; what is to be typed gives it
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
$redis = $server->client();
diagnose('the documented rights', $server->dsn(), '--user=shop');

$redis->cmd('ACL', 'SETUSER', 'shop', '-zcard', '-blpop', '-zadd', '-persist', '-wait');
$said = diagnose('some are missing', $server->dsn(), '--user=shop');
type_commands($redis, array_merge(...array_column(about($said, 'rights'), 'commands')));
diagnose('as it says', $server->dsn(), '--user=shop');

$redis->cmd('ACL', 'SETUSER', 'shop', 'resetkeys', '~lock:*');
$said = diagnose('keys are missing', $server->dsn(), '--user=shop');
type_commands($redis, about($said, 'rights')[0]['commands']);
diagnose('as it says', $server->dsn(), '--user=shop');
$said = diagnose('another prefix', $server->dsn(), '--user=shop', '--prefix=it\'s mine:');
type_commands($redis, about($said, 'rights')[0]['commands']);
diagnose('as it says', $server->dsn(), '--user=shop', '--prefix=it\'s mine:');

$redis->cmd('ACL', 'SETUSER', 'shop', 'off');
type_commands($redis, about(diagnose('switched off', $server->dsn(), '--user=shop'), 'rights')[0]['commands']);
$said = diagnose('nobody', $server->dsn(), '--user=Shop');
type_commands($redis, about($said, 'rights')[0]['commands']);
diagnose('as it says', $server->dsn(), '--user=Shop');
is_so('it locks', (new RedisLock($server->address('Shop:PASSWORD')))->lock('SKU0001'));
?>
--EXPECT--
the documented rights => 0
  the status is that of the exit: yes
some are missing => 2
  the status is that of the exit: yes
  critical, rights: shop lacks +zcard: no lock can be released: each stays until its lease ends; allow it
  warning, rights: shop lacks +persist: expire() with INF is refused; allow it
  warning, rights: shop lacks +blpop +zadd: no call can wait: if the lock is held, lock() with a timeout throws; allow it
  note, rights: shop lacks +wait: locks that ask for replicas are refused (option replicas); allow it
  $ redis-cli -s SOCKET ACL SETUSER shop +zcard
  $ redis-cli -s SOCKET ACL SETUSER shop +persist
  $ redis-cli -s SOCKET ACL SETUSER shop +blpop +zadd
  $ redis-cli -s SOCKET ACL SETUSER shop +wait
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
keys are missing => 2
  the status is that of the exit: yes
  critical, rights: shop may not touch all the keys ~lock:* and ~{lock:*: no lock can be had; allow them
  $ redis-cli -s SOCKET ACL SETUSER shop '~lock:*' '~{lock:*'
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
another prefix => 2
  the status is that of the exit: yes
  critical, rights: shop may not touch all the keys ~it's?mine:* and ~{it's?mine:*: no lock can be had; allow them
  $ redis-cli -s SOCKET ACL SETUSER shop '~it'\''s?mine:*' '~{it'\''s?mine:*'
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
switched off => 2
  the status is that of the exit: yes
  critical, rights: shop is switched off: whoever logs in so is refused; switch it on
  $ redis-cli -s SOCKET ACL SETUSER shop on
  $ redis-cli -s SOCKET CONFIG REWRITE
nobody => 2
  the status is that of the exit: yes
  critical, rights: there is no user Shop: whoever logs in so is refused; create it
  $ redis-cli -s SOCKET ACL SETUSER Shop on '>PASSWORD' resetchannels -@all '~lock:*' '~{lock:*' +evalsha +eval +get +set +del +zcard +time +pexpire +blpop +pttl +zadd +zrem +zscore +zrangebyscore +zremrangebyscore +rpush +lindex +persist +wait '+client|setname'
  $ redis-cli -s SOCKET CONFIG REWRITE
as it says => 0
  the status is that of the exit: yes
it locks: yes
