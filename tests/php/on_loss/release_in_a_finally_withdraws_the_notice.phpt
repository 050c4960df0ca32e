--TEST--
A lock that was given up in a finally, after it was lost, is not told of any more
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

foreach (['unlock', 'detach', 'unlockAll'] as $release) {
    echo "$release: ";
    thrown(function () use ($lock, $redis, $release) {
        $lock->lock('x');
        try {
            compute(0.01);
        } finally {
            take_away($redis, 'x');
            compute_until(fn () => $lock->lost('x'));
            compute(0.05);
            $release === 'unlockAll' ? $lock->unlockAll() : $lock->$release('x');
        }
        return compute(0.3);
    });
}
?>
--EXPECT--
unlock: nothing thrown, returned 'computed to the end'
detach: nothing thrown, returned 'computed to the end'
unlockAll: nothing thrown, returned 'computed to the end'
