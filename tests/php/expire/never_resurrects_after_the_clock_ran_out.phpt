--TEST--
The same for a lease that ran out by the clock
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
$lock = new RedisLock($server->dsn());

$lock->lock('x', expire: 1.0);
is_so('the lease ended', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0));
var_dump($lock->expire('x', 10), all_keys($redis), $lock->remaining('x'));
?>
--EXPECT--
the lease ended: yes
bool(false)
array(0) {
}
float(0)
