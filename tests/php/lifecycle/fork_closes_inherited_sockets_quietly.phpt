--TEST--
A child's end does not disturb its parent's connection
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('x');
$lock->isLocking('x');
$wire->forget();
for ($i = 0; $i < 3; $i++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        exit;
    }
    pcntl_waitpid($pid, $status);
}
var_dump($lock->isLocking('x'), $wire->connections(), $wire->requests());
?>
--EXPECT--
bool(true)
int(0)
array(1) {
  [0]=>
  string(7) "EVALSHA"
}
