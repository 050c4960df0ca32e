--TEST--
What others put in the place of the value is a miss: it is built, and kept
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
"": 'built'
"q": 'built'
"p": 'built'
"pa:1:{": 'built'
"pO:99999999:\"": 'built'
"pi:5": 'built'
"pC:1:\"": 'built'
"p}": 'built'
"ps:5:\"abc\";": 'built'
"pE:3:\"abc\";": 'built'
"pO:3:\"abc": 'built'
"pN;N;x": 'built'
RedisLockServerException WRONGTYPE
bool(true)
'built'
