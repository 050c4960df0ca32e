--TEST--
A loss of another lock while unlock() waits for the server: unlock() is not broken off, and the exception comes behind it
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
$lock = new RedisLock($server->dsn(), ['expire' => 60, 'read_timeout' => 30, 'on_loss' => 'throw']);
thrown(function () use ($lock, $server, &$start) {
    $lock->lock('y');
    $lock->lock('x', expire: lease(1.2));
    $server->pause();
    $GLOBALS['waker'] = Worker::start('usleep((int) $argv[1]); foreach (array_slice($argv, 2) as $pid) posix_kill((int) $pid, 18);', [lease(2) * 1e6, ...$server->pids()]);
    $start = hrtime(true);
    $lock->unlock('y');
    return compute(LONG);
});
is_so('unlock() waited until the server went on', hrtime(true) - $start > lease(1.9) * 1e9);
var_dump($lock->lost('y'), $redis->cmd('EXISTS', 'lock:y'), array_keys($lock->held()));
?>
--EXPECTF--
RedisLockLostException: unix://%s(lock "x")
unlock() waited until the server went on: yes
bool(false)
int(0)
array(0) {
}
