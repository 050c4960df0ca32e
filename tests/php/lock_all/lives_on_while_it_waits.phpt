--TEST--
What lockAll() has so far does not expire while it waits for the rest, and all have their lease at the end
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
$lock = new RedisLock($server->dsn());
$lock->lock('b');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lockAll(["a", "b"], timeout: 20, expire: 0.6));
    echo ($lock->remaining("a") > 0.3 && $lock->remaining("b") > 0.3) ? "fresh" : "OLD", "\n";
', [$server->dsn()]);
is_so('it waits for b', wait_until(fn () => $lock->waiters('b') === 1));
$token = $redis->cmd('GET', 'lock:a');
usleep(1500000);
is_so('a is still the same', $redis->cmd('GET', 'lock:a') === $token);
$lock->unlock('b');
echo $waiter->output();
?>
--EXPECT--
it waits for b: yes
a is still the same: yes
bool(true)
fresh
