--TEST--
lockAll() ended by the exception of a signal handler keeps nothing
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
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$lock->lock('b');
$waiter = Worker::start('
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, fn () => throw new Exception("enough"));
    $lock = new RedisLock($argv[1]);
    try {
        $lock->lockAll(["a", "b", "c"], timeout: 20);
    } catch (Exception $e) {
        echo $e->getMessage(), " ", json_encode($lock->held()), "\n";
    }
    fgets(STDIN);
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('b') === 1));
$waiter->signal('USR1');
echo $waiter->readLine(), "\n";
echo implode(' ', all_keys($server->client())), "\n";
?>
--EXPECT--
it waits: yes
enough []
lock:b
