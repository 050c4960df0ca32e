--TEST--
lockAll() repeats when the reply was lost, and has each name once
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn());
$lock->lockAll(['warm', 'up']);
$lock->unlockAll();
foreach ([0.0, 2.0] as $timeout) {
    $wire->loseReply('EVALSHA');
    var_dump($lock->lockAll(['a', 'b'], $timeout));
    is_so('the tokens are in Redis', [$redis->cmd('GET', 'lock:a'), $redis->cmd('GET', 'lock:b')] === [$lock->token('a'), $lock->token('b')]);
    var_dump($lock->unlockAll(), all_keys($redis));
}
?>
--EXPECT--
bool(true)
the tokens are in Redis: yes
bool(true)
array(0) {
}
bool(true)
the tokens are in Redis: yes
bool(true)
array(0) {
}
