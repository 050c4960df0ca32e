--TEST--
A baton parked in Redis is nobody's: unlock, expire, attach and isLocking do nothing with it
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

$baton = 'rl:baton:' . str_repeat('0', 32);
$redis->cmd('SET', 'lock:x', $baton, 'PX', 5000);
foreach (['unlock', 'expire', 'attach'] as $method) {
    try {
        $args = $method === 'expire' ? ['x', 10.0, $baton] : ['x', $baton];
        echo "$method: ", var_export($lock->$method(...$args), true), "\n";
    } catch (ValueError $e) {
        echo "$method: ", get_class($e), "\n";
    }
}
var_dump($lock->isLocking('x'), $lock->owner('x'), $lock->held());
var_dump($redis->cmd('GET', 'lock:x') === $baton);
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 1, 5000);
?>
--EXPECT--
unlock: false
expire: false
attach: false
bool(false)
NULL
array(0) {
}
bool(true)
TTL: yes
