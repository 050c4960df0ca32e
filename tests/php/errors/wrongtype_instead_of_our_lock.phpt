--TEST--
Our lock was replaced by a key of another type: unlock, expire, isLocking are false and leave it alone
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
$replace = function () use ($lock, $redis) {
    $redis->cmd('DEL', 'lock:x');
    $lock->unlock('x');
    $lock->lock('x');
    $redis->cmd('DEL', 'lock:x');
    $redis->cmd('HSET', 'lock:x', 'field', 'data');
};
foreach (['unlock', 'expire', 'isLocking'] as $method) {
    $replace();
    echo "$method: ", outcome(fn () => $lock->$method('x')), "\n";
}
$replace();
echo 'unlockAll: ', outcome(fn () => $lock->unlockAll()), "\n";
var_dump($redis->cmd('HGETALL', 'lock:x'));
?>
--EXPECT--
unlock: false
expire: false
isLocking: false
unlockAll: false
array(2) {
  [0]=>
  string(5) "field"
  [1]=>
  string(4) "data"
}
