--TEST--
A signal handler uses up the time limit during the wait: PHP's fatal error ends it, and nothing is left
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
$holder->lock('x');
$waiter = Worker::start(<<<'PHP'
    set_time_limit(1);
    $lock = new RedisLock($argv[1]);
    $lock->lock('another', 0, 60);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () {
        echo "busy\n";
        // PHP blocks all signals in a handler, its own timer's too: the limit strikes when the handler is done.
        // It counts processor time, so that is what must be used up.
        for ($used = 0; $used < 1.5; $used = ($r = getrusage())['ru_utime.tv_sec'] + $r['ru_utime.tv_usec'] / 1e6 + $r['ru_stime.tv_sec'] + $r['ru_stime.tv_usec'] / 1e6);
    });
    register_shutdown_function(function () {
        echo "shutdown\n";
    });
    $lock->lock('x', 10.0);
    echo "NOT REACHED\n";
    PHP, [$server->dsn()]);
await_blocked($redis, 1);
$began = now();
$waiter->signal('USR1');
echo preg_replace('/ in .*/', '', $waiter->output());
is_between('seconds', now() - $began, 1, 9);
wait_until(fn () => blocked($redis) === 0 && $holder->waiters('x') === 0); // what it wrote last is carried out
is_so('nobody waits', $holder->waiters('x') === 0, $holder->waiters('x'));
print_r(all_keys($redis));
var_dump($holder->unlock('x'));
print_r(all_keys($redis));
?>
--EXPECT--
busy

Fatal error: Maximum execution time of 1 second exceeded
shutdown
seconds: yes
nobody waits: yes
Array
(
    [0] => lock:x
)
bool(true)
Array
(
)
