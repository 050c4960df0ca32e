--TEST--
The exception can be caught where it arises, and the code goes on
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

$lock->lock('x');
for ($i = 1; $i <= 3; $i++) {
    try {
        take_away($redis, 'x');
        compute(LONG);
    } catch (RedisLockLostException) {
        echo "lost, round $i\n";
        $lock->unlock('x');
        var_dump($lock->lock('x'));
    }
}
var_dump($lock->unlock('x'));
?>
--EXPECT--
lost, round 1
bool(true)
lost, round 2
bool(true)
lost, round 3
bool(true)
bool(true)
