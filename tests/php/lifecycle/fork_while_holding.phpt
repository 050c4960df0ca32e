--TEST--
A fork while locks are held: they are the parent's alone, and the child can take its own
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('x');
$token = $lock->token('x');
in_a_fork(function () use ($lock, $token) {
    echo "in the child\n";
    var_dump($lock->held(), $lock->token('x'), $lock->remaining('x'), $lock->isLocking('x'));
    var_dump($lock->unlock('x'), $lock->expire('x', 1.0), $lock->detach('x'), $lock->unlockAll());
    var_dump($lock->lock('x'), $lock->owner('x') === $token);
    var_dump($lock->lock('y'), array_keys($lock->held()), $lock->isLocking('y'), $lock->unlock('y'), $lock->lock('z'));
});
echo "in the parent\n";
var_dump(array_keys($lock->held()), $lock->isLocking('x'), $redis->cmd('PTTL', 'lock:x') > 20000);
echo json_encode(all_keys($redis)), "\n";
var_dump($lock->unlock('x'));
?>
--EXPECT--
in the child
array(0) {
}
NULL
float(0)
bool(false)
bool(false)
bool(false)
NULL
bool(true)
bool(false)
bool(true)
bool(true)
array(1) {
  [0]=>
  string(1) "y"
}
bool(true)
bool(true)
bool(true)
in the parent
array(1) {
  [0]=>
  string(1) "x"
}
bool(true)
bool(true)
["lock:x"]
bool(true)
