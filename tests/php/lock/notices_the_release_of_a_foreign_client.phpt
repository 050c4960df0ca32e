--TEST--
A waiter notices within retry_interval that a foreign client released, which sends no signal
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
foreign_lock($redis, 'lock:x', 'theirs');

$waiter = Worker::start('
    $lock = new RedisLock($argv[1], ["retry_interval" => 0.1]);
    var_dump($lock->lock("x", timeout: 10));
    printf("%.6f\n", microtime(true));
', [$server->dsn()]);
$watch = new RedisLock($server->dsn());
is_so('it waits', wait_until(fn () => $watch->waiters('x') === 1));
$released = microtime(true);
var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
echo 'waiter: ', $waiter->readLine(), "\n";
took_between('seconds until it had the lock', (float) $waiter->readLine() - $released, 0, 0.2);
?>
--EXPECT--
it waits: yes
bool(true)
waiter: bool(true)
seconds until it had the lock: yes
