--TEST--
After an expire() that succeeded, a new loss is told anew
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(2.4), 'on_loss' => function () use (&$told) {
    $told++;
}]);
$more = function () use (&$told) {
    $before = $told;
    return compute_until(function () use (&$told, $before) {
        return $told > $before;
    });
};
$lock->lock('x');
foreach ([1, 2, 3] as $round) {
    is_so("told in round $round", $more());
    var_dump($lock->expire('x'));
    thrown(fn () => compute(0.2));
    var_dump($told);
}
var_dump($lock->unlock('x'));
?>
--EXPECT--
told in round 1: yes
bool(true)
nothing thrown, returned 'computed to the end'
int(1)
told in round 2: yes
bool(true)
nothing thrown, returned 'computed to the end'
int(2)
told in round 3: yes
bool(true)
nothing thrown, returned 'computed to the end'
int(3)
bool(true)
