--TEST--
A child that is forked inside of a section and returns from it does not release the parent's lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$parent = getmypid();
try {
    $result = $lock->synchronized('x', function () use ($redis) {
        $pid = pcntl_fork();
        if ($pid !== 0) {
            pcntl_waitpid($pid, $status);
            return $redis->cmd('EXISTS', 'lock:x');
        }
        return 'child';
    });
} catch (RedisLockLostException $e) {
    echo getmypid() === $parent ? "THE PARENT'S WAS LOST\n" : ''; // a child holds nothing, and may be told so
}
if (getmypid() !== $parent) {
    exit;
}
var_dump($result, all_keys($redis));
?>
--EXPECT--
int(1)
array(0) {
}
