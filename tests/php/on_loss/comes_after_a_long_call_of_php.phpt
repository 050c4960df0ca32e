--TEST--
A loss while one call of PHP waits is told when that has returned
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

foreach (['sleep' => fn () => time_nanosleep(1, 0), 'select' => fn () => [$none = null, $read = [STDIN], stream_select($none, $none, $none, 1)]] as $label => $wait) {
    if ($label === 'select') {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $wait = function () use ($pair) {
            $read = [$pair[0]];
            $none = null;
            stream_select($read, $none, $none, 1);
        };
    }
    echo "$label: ";
    $returned = false;
    thrown(function () use ($lock, $redis, $wait, &$returned) {
        $lock->lock('x');
        take_away($redis, 'x');
        $wait();
        return compute(LONG);
    });
    $lock->unlock('x');
}
?>
--EXPECTF--
sleep: RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
select: RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
