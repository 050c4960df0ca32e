--TEST--
remaining() is never more than what Redis still keeps the key
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

$lock->lock('x', expire: 0.5);
$safe = true;
for ($i = 0; $i < 50; $i++) {
    $left = $lock->remaining('x'); // asked first, so that time passes to its disadvantage
    $safe = $safe && $redis->cmd('PTTL', 'lock:x') >= (int) floor($left * 1000) - 50;
    usleep(1000);
}
is_so('safe', $safe);
?>
--EXPECT--
safe: yes
