--TEST--
The lock was lost before the section was over: RedisLockLostException that carries the result
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

$e = thrown(fn () => $lock->synchronized('x', function () use ($redis) {
    $redis->cmd('SET', 'lock:x', 'theirs'); // the lease ended and another took it
    return ['order' => 4711];
}));
var_dump($e->result, $e->lockName, $e->getPrevious());
var_dump($redis->cmd('GET', 'lock:x'), $lock->held());
?>
--EXPECTF--
RedisLockLostException: %sx%s
array(1) {
  ["order"]=>
  int(4711)
}
string(1) "x"
NULL
string(6) "theirs"
array(0) {
}
