--TEST--
When the object ends, nothing is told any more of its locks
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
$told = 0;
foreach ([true, false] as $renew) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'renew' => $renew, 'on_loss' => function () use (&$told) {
        $told++;
    }]);
    $lock->lock('x');
    unset($lock);
    compute(lease(0.8));
    $left = (new RedisLock($server->dsn()))->isLocking('x');
    var_dump($told, $left);
}
?>
--EXPECT--
int(0)
bool(false)
int(0)
bool(false)
