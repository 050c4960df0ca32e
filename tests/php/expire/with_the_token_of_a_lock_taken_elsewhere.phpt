--TEST--
expire() with the token works on a lock that another object took, with another token it does nothing
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

$a->lock('x', expire: 5, token: 'job-1');
var_dump($b->expire('x', 100, 'other'));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 1, 5000);
var_dump($b->expire('x', 100, 'job-1'));
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 90000, 100000);
var_dump($b->held());
?>
--EXPECT--
bool(false)
TTL: yes
bool(true)
TTL: yes
array(0) {
}
