--TEST--
unlockAll() is false when one was lost, and releases the others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['a', 'b', 'c', 'd'] as $name) {
    $lock->lock($name);
}
$redis->cmd('DEL', 'lock:b');           // its lease ended
$redis->cmd('SET', 'lock:c', 'theirs'); // its lease ended, and another took it

var_dump($lock->unlockAll(), $lock->held());
print_r(all_keys($redis));
var_dump($redis->cmd('GET', 'lock:c'));
?>
--EXPECT--
bool(false)
array(0) {
}
Array
(
    [0] => lock:c
)
string(6) "theirs"
