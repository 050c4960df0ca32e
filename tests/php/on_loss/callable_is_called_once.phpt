--TEST--
A loss is told once, however long the code goes on
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
$told = [];
$note = function ($name) use (&$told) {
    $told[] = $name;
};
foreach ([true, false] as $renew) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => $renew, 'on_loss' => $note]);
    $lock->lock($renew ? 'taken away' : 'over');
    take_away($redis, 'taken away');
    compute(lease(2));
    var_dump($lock->unlockAll());
    compute(0.2);
}
print_r($told);
?>
--EXPECT--
bool(false)
bool(false)
Array
(
    [0] => taken away
    [1] => over
)
