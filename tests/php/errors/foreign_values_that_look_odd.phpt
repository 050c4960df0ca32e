--TEST--
Values of a foreign client: empty, a number, our own prefix, a nearly-baton
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
foreach (['', '0', '1700000000', 'rl:', 'rl:baton', 'rl:batonx', "\0", 'b:0;'] as $value) {
    $redis->cmd('SET', 'lock:x', $value);
    echo json_encode($value), ': ', json_encode([$lock->lock('x'), $lock->owner('x'), $lock->unlock('x', 'other')]), "\n";
}
var_dump($redis->cmd('GET', 'lock:x'));
?>
--EXPECT--
"": [false,"",false]
"0": [false,"0",false]
"1700000000": [false,"1700000000",false]
"rl:": [false,"rl:",false]
"rl:baton": [false,"rl:baton",false]
"rl:batonx": [false,"rl:batonx",false]
"\u0000": [false,"\u0000",false]
"b:0;": [false,"b:0;",false]
string(4) "b:0;"
