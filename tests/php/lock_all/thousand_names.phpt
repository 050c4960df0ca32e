--TEST--
lockAll() of 1 000 names, binary ones and some with hash tags among them
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
$names = ['{tag}', 'a{tag}b', "\0\xff\r\n", '42', 'lock:'];
for ($i = count($names); $i < 1000; $i++) {
    $names[] = "name $i";
}
shuffle($names);
var_dump($lock->lockAll($names), count($lock->held()), $redis->cmd('DBSIZE'));
is_so('each has its key', $redis->cmd('EXISTS', ...array_map(fn ($name) => "lock:$name", $names)) === 1000);
var_dump((new RedisLock($server->dsn()))->lockAll(['other', "\0\xff\r\n"]));
var_dump($lock->unlockAll(), all_keys($redis));
?>
--EXPECT--
bool(true)
int(1000)
int(1000)
each has its key: yes
bool(false)
bool(true)
array(0) {
}
