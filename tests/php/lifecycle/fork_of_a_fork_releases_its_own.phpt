--TEST--
A fork releases what it has taken itself, at its own end, and nothing else
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
$lock->lock('parent');
in_a_fork(function () use ($lock, $redis) {
    $lock->lock('child');
    in_a_fork(function () use ($lock) {
        $lock->lock('grandchild');
        echo json_encode(array_keys($lock->held())), "\n";
    });
    echo json_encode(array_keys($lock->held())), ' ', json_encode($lock->owner('grandchild')), "\n";
});
echo json_encode(all_keys($redis)), "\n";
var_dump($lock->isLocking('parent'), $lock->unlockAll());
?>
--EXPECT--
["grandchild"]
["child"] null
["lock:parent"]
bool(true)
bool(true)
