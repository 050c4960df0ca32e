--TEST--
SIGKILL: nothing runs, and the lease is what ends the lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$worker = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", expire: 1.0));
    sleep(60);
', [$server->dsn()]);
echo $worker->readLine(), "\n";
$worker->signal('KILL');
is_so('killed', $worker->wait() === (PHP_OS_FAMILY === 'Windows' ? 255 : 137));
is_so('free when the lease ends', wait_until(fn () => all_keys($redis) === [], 5));
?>
--EXPECT--
bool(true)
killed: yes
free when the lease ends: yes
