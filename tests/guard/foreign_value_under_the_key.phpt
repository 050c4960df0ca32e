--TEST--
What others put in the place of the value is an exception or a miss, never a crash
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
$header = '999999999999999';
foreach (['', 'x', 'no header at all', $header, $header . 'q', $header . 'p', $header . 'pa:1:{', $header . 'pO:99999999:"', $header . 'pi:5', $header . 'pC:1:"',
    $header . 'p}', $header . 'ps:5:"abc";', $header . 'pE:3:"abc";', $header . 'pO:3:"abc', $header . 'pN;N;x'] as $bytes) {
    $redis->cmd('SET', '{lock:k}:rl:value', $bytes);
    echo json_encode(substr($bytes, 15)), ': ', outcome(fn () => $lock->remember('k', fn () => 'built', 60)), "\n";
}
$redis->cmd('DEL', '{lock:k}:rl:value');
$redis->cmd('HSET', '{lock:k}:rl:value', 'a', 'b');
echo outcome(fn () => $lock->remember('k', fn () => 'built', 60)), "\n";
var_dump($lock->forget('k'));
echo outcome(fn () => $lock->remember('k', fn () => 'built', 60)), "\n";
?>
--EXPECT--
"": 'built'
"": 'built'
"l": 'built'
"": RedisLockException
"q": RedisLockException
"p": RedisLockException
"pa:1:{": RedisLockException
"pO:99999999:\"": RedisLockException
"pi:5": RedisLockException
"pC:1:\"": RedisLockException
"p}": RedisLockException
"ps:5:\"abc\";": RedisLockException
"pE:3:\"abc\";": RedisLockException
"pO:3:\"abc": RedisLockException
"pN;N;x": RedisLockException
RedisLockServerException WRONGTYPE
bool(true)
'built'
