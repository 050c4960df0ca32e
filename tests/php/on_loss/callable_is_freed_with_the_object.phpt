--TEST--
The function is kept for as long as the object is there, and freed with it
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
$function = function () {
};
$weak = WeakReference::create($function);
$lock = new RedisLock($server->dsn(), ['on_loss' => $function]);
unset($function);
var_dump($weak->get() !== null);
$lock->lock('x');
unset($lock);
var_dump($weak->get());
?>
--EXPECT--
bool(true)
NULL
