--TEST--
A lock that is released in time is not told of, nor is the same one that is taken anew, before its own time
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
thrown(function () use ($lock) {
    for ($i = 0; $i < 4; $i++) {
        $lock->lock('x');
        compute(lease(0.4));
        $lock->unlock('x');
    }
    return compute(lease(1.2));
});
?>
--EXPECT--
nothing thrown, returned 'computed to the end'
