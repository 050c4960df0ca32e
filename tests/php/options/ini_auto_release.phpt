--TEST--
redislock.auto_release takes 1, 0 and request
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
foreach (['1', '0', 'request'] as $setting) {
    ini_set('redislock.auto_release', $setting);
    $lock = new RedisLock($server->dsn());
    $lock->lock("x$setting");
    unset($lock);
}
print_r(all_keys($redis));
?>
--EXPECT--
Array
(
    [0] => lock:x0
    [1] => lock:xrequest
)
