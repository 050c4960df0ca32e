--TEST--
lock() waits for its timeout, not less and hardly more, and leaves nothing
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
foreign_lock($redis, 'lock:x', 'theirs');
$lock = new RedisLock($server->dsn());

took_between('seconds', seconds(function () use ($lock) {
    var_dump($lock->lock('x', timeout: slow(0.2)));
}), slow(0.1), 0.5);
print_r(all_keys($redis));
?>
--EXPECT--
bool(false)
seconds: yes
Array
(
    [0] => lock:x
)
