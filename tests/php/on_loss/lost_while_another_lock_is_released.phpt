--TEST--
A lock that is lost while synchronized() waits for the release of another: that one is released all the same
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
$outer = new RedisLock($server->dsn(), ['expire' => lease(1.2), 'on_loss' => 'throw']);
$inner = new RedisLock($server->dsn(), ['expire' => 60, 'read_timeout' => 30]);
thrown(function () use ($outer, $inner, $server) {
    $outer->lock('x');
    $inner->synchronized('y', function () use ($server, &$waker) {
        $server->pause();
        $GLOBALS['waker'] = Worker::start('usleep((int) $argv[1]); foreach (array_slice($argv, 2) as $pid) posix_kill((int) $pid, 18);', [lease(2) * 1e6, ...$server->pids()]);
    });
    return compute(LONG);
});
$waker->wait();
is_so('the other lock is free', wait_until(fn () => $redis->cmd('EXISTS', 'lock:y') === 0, 10));
var_dump($inner->held());
?>
--EXPECTF--
RedisLockLostException: unix://%s(lock "x")
the other lock is free: yes
array(0) {
}
