--TEST--
max_hold with an error handler that throws ErrorException: the code is not broken off, and the warning goes to the log
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$folder = new PrivateFolder();
ini_set('error_log', "$folder->path/log");
set_error_handler(function (int $type, string $text) {
    throw new ErrorException($text, 0, $type);
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.5), 'renew' => true, 'max_hold' => lease(0.6)]);
thrown(function () use ($lock) {
    $lock->lock('x');
    return compute(lease(1.5));
});
var_dump($lock->unlock('x'));
thrown(fn () => compute(0.2));
echo file_get_contents("$folder->path/log");
?>
--EXPECTF--
nothing thrown, returned 'computed to the end'
bool(true)
nothing thrown, returned 'computed to the end'
[%s] %Sunix://%s: the lock has been held for longer than max_hold (%s); its lease is no longer renewed (lock "x")
