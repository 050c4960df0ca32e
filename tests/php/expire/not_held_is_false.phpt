--TEST--
expire() of a name that this object does not hold is false
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$a = new RedisLock($server->dsn());
$b = new RedisLock($server->dsn());

$a->lock('x', expire: 5);
var_dump($b->expire('x', 100), $b->expire('free', 100), all_keys($redis));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 1, 5000);
?>
--EXPECT--
bool(false)
bool(false)
array(1) {
  [0]=>
  string(6) "lock:x"
}
TTL: yes
