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

$lease = is_busy() ? 2.4 : 0.6;
$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('b');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    $lease = (float) $argv[2];
    var_dump($lock->lockAll(["a", "b"], timeout: 20, expire: $lease));
    echo ($lock->remaining("a") > $lease / 2 && $lock->remaining("b") > $lease / 2) ? "fresh" : "OLD", "\n";
', [$server->dsn(), $lease]);
is_so('it waits for b', wait_until(fn () => $lock->waiters('b') === 1));
$token = $redis->cmd('GET', 'lock:a');
usleep((int) (2.5e6 * $lease));
is_so('a is still the same', $redis->cmd('GET', 'lock:a') === $token);
$lock->unlock('b');
echo $waiter->output();
?>
--EXPECT--
it waits for b: yes
a is still the same: yes
bool(true)
fresh
