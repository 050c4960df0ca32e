--TEST--
The warning past max_hold comes behind a finally that runs
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
set_error_handler(function () {
    echo "the warning\n";
    return true;
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'max_hold' => lease(0.3)]);
$lock->lock('x');
try {
    compute(0.01);
} finally {
    compute_until(fn () => $lock->lost('x'));
    compute(0.2);
    echo "the finally is over\n";
}
compute(0.3);
$lock->unlock('x');
?>
--EXPECT--
the finally is over
the warning
