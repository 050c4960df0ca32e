--TEST--
remember() whose wait is ended by the exception of a signal handler leaves the queue
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$redis = $server->client();
$builder = building($server);
$waiter = Worker::start('
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, fn () => throw new Exception("enough"));
    try {
        (new RedisLock($argv[1]))->remember("k", fn () => print "BUILDS", 60, timeout: 20);
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
', [$server->dsn()]);
await_blocked($redis, 1);
$waiter->signal('USR1');
echo $waiter->output();
var_dump((new RedisLock($server->dsn()))->waiters('k'));
$builder->tell('value');
echo $builder->output();
?>
--EXPECT--
enough
int(0)
"value"
