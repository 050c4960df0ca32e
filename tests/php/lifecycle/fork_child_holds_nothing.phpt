--TEST--
A child that was forked holds none of its parent's locks, and can take its own with the same object
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

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('x');
$pid = pcntl_fork();
if ($pid === 0) {
    echo 'child: ', json_encode([$lock->held(), $lock->token('x'), $lock->isLocking('x'), $lock->lock('x')]), "\n";
    echo 'child: ', json_encode([$lock->lock('y'), array_keys($lock->held()), $lock->isLocking('y')]), "\n";
    exit;
}
pcntl_waitpid($pid, $status);
echo 'parent: ', json_encode([array_keys($lock->held()), $lock->isLocking('x')]), "\n";
print_r(all_keys($redis)); // the child released its own
?>
--EXPECT--
child: [[],null,false,false]
child: [true,["y"],true]
parent: [["x"],true]
Array
(
    [0] => lock:x
)
