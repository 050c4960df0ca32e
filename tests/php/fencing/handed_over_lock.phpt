--TEST--
A waiter that is handed the lock gets a larger fence
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
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
$lock->lock('x');
$fence = $lock->fence('x');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1], ["fencing" => true]);
    echo $lock->lock("x", timeout: 10) ? $lock->fence("x") : "not had", "\n";
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));
$lock->unlock('x');
is_so('larger', (int) $waiter->readLine() > $fence);
?>
--EXPECT--
it waits: yes
larger: yes
