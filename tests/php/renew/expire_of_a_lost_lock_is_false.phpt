--TEST--
expire() of a renewed lock that was taken away is false, and does not begin to renew it again
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['not noticed yet' => false, 'noticed' => true] as $when => $wait) {
    $lock->lock('x', expire: lease(0.6), renew: true);
    $redis->cmd('SET', 'lock:x', 'another', 'PX', 30000);
    if ($wait) {
        wait_until(fn () => $lock->remaining('x') === 0.0);
    }
    echo "$when: ", json_encode([$lock->expire('x', 5), $lock->remaining('x'), $lock->held(), $redis->cmd('GET', 'lock:x')]), "\n";
    is_so('nothing more is sent', is_quiet($redis, lease(0.5)));
    var_dump($lock->unlock('x'));
    $redis->cmd('DEL', 'lock:x');
}
?>
--EXPECT--
not noticed yet: [false,0,[],"another"]
nothing more is sent: yes
bool(false)
noticed: [false,0,[],"another"]
nothing more is sent: yes
bool(false)
