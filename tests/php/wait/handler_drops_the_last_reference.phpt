--TEST--
A signal handler drops the last reference to the waiting object: the wait goes on, and what it gets is released
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
foreach (['', 'throw new Exception("enough");', 'exit("exit\n");'] as $then) {
    $holder->lock('x');
    $waiter = Worker::start(<<<'PHP'
        $box = new stdClass;
        $box->lock = new RedisLock($argv[1]);
        $box->lock->lock('another');
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, eval('return function () use ($box) {
            unset($box->lock);
            gc_collect_cycles();
            echo "dropped\n";
            ' . $argv[2] . '
        };'));
        try {
            // Called so that nothing but the call refers to the object.
            var_dump((fn () => $box->lock)()->lock('x', 10.0));
        } catch (Exception $e) {
            echo $e->getMessage(), "\n";
        }
        PHP, [$server->dsn(), $then]);
    await_blocked($redis, 1);
    $waiter->signal('USR1');
    echo $waiter->readLine(), "\n";
    if ($then === '') {
        is_so('it still waits', blocked($redis) === 1);
    } else {
        echo $waiter->output();
    }
    $holder->unlock('x');
    echo $waiter->output();
    echo 'exit status ', $waiter->wait(), "\n";
    print_r(all_keys($redis));
}
?>
--EXPECT--
dropped
it still waits: yes
bool(true)
exit status 0
Array
(
)
dropped
enough
exit status 0
Array
(
)
dropped
exit
exit status 0
Array
(
)
