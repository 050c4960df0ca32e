--TEST--
A child does not release what its parent could not
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

$server = RedisServer::start(['appendonly yes', 'appendfsync always']);
$lock = new RedisLock($server->dsn(), ['expire' => 60]);
$lock->lock('x');
$server->kill();
thrown(fn () => $lock->unlock('x'));
$server->restart();
$redis = $server->client();
if (($pid = pcntl_fork()) === 0) {
    $lock->owner('{lock:x}other');
    exit(0);
}
pcntl_waitpid($pid, $status);
var_dump($redis->cmd('EXISTS', 'lock:x'));
$lock->owner('{lock:x}other');
var_dump(wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0));
?>
--EXPECTF--
RedisLockConnectionException: %s
int(1)
bool(true)
