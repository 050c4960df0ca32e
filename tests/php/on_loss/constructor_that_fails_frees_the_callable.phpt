--TEST--
A constructor that refuses another option, or is called again, frees the function
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
thrown(fn () => new RedisLock($server->dsn(), ['on_loss' => $function, 'none' => 1]));
thrown(fn () => new RedisLock($server->dsn(), ['expire' => -1, 'on_loss' => $function]));
thrown(fn () => (new RedisLock($server->dsn()))->__construct($server->dsn(), ['on_loss' => $function]));
unset($function);
gc_collect_cycles();
var_dump($weak->get());
?>
--EXPECTF--
%s
%s
%s
NULL
