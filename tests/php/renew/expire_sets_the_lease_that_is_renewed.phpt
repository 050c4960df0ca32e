--TEST--
expire() sets the lease with which a lock is renewed from then on, longer or shorter
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('x', expire: 0.5, renew: true);
await_renewed();
foreach ([2.0, 0.5] as $expire) {
    var_dump($lock->expire('x', $expire));
    is_so('renewed', await_renewed(2));
    is_between('TTL', $redis->cmd('PTTL', 'lock:x'), $expire * 300, $expire * 1000);
    is_between('remaining', $lock->remaining('x'), $expire * 0.3, $expire);
}
var_dump($lock->unlock('x'));
?>
--EXPECT--
bool(true)
renewed: yes
TTL: yes
remaining: yes
bool(true)
renewed: yes
TTL: yes
remaining: yes
bool(true)
