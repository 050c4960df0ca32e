--TEST--
lockAll() with the server gone is a RedisLockConnectionException, also when it goes during the wait
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

echo outcome(fn () => (new RedisLock('redis://127.0.0.1:1'))->lockAll(['a', 'b'])), "\n";
$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$lock->lock('b');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    try {
        var_dump($lock->lockAll(["a", "b"], timeout: 1));
    } catch (RedisLockConnectionException $e) {
        echo get_class($e), " ", json_encode($lock->held()), "\n";
    }
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('b') === 1));
$server->kill();
echo $waiter->output();
?>
--EXPECT--
RedisLockConnectionException
it waits: yes
RedisLockConnectionException []
