--TEST--
A call that got no answer in time: its connection is closed, and the answer that comes late reaches nobody
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start();
$redis = $server->client();
foreign_lock($redis, 'lock:a', 'token of a');
foreign_lock($redis, 'lock:b', 'token of b');
foreach ([true, false] as $persistent) {
    $lock = new RedisLock($server->dsn(), ['persistent' => $persistent, 'read_timeout' => 0.1, 'connect_timeout' => 0.1]);
    $lock->owner('a');
    $server->pause();
    thrown(fn () => $lock->owner('a'))?->getCode();
    $server->resume();
    for ($i = 0; $i < 20; $i++) {
        $answers["{$lock->owner('b')}, {$lock->owner('c')}"] = true;
    }
    echo implode("\n", array_keys($answers)), "\n";
}
?>
--EXPECTF--
RedisLockConnectionException: unix://%s: no answer in time (lock "a")
token of b, 
RedisLockConnectionException: unix://%s: no answer in time (lock "a")
token of b, 
