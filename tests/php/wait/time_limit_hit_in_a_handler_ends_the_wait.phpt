--TEST--
The time limit strikes in a signal handler during the wait: PHP's fatal error ends it, and nothing is left
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiter = Worker::start(<<<'PHP'
    require $argv[2];
    set_time_limit(1);
    $lock = new RedisLock($argv[1]);
    $lock->lock('another', 0, 60);
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function () {
        echo "busy\n";
        strike_time_limit();
    });
    register_shutdown_function(function () {
        echo "shutdown\n";
    });
    $lock->lock('x', 10.0);
    echo "NOT REACHED\n";
    PHP, [$server->dsn(), __DIR__ . '/../inc/check.inc']);
await_blocked($redis, 1);
$began = now();
$waiter->signal('USR1');
echo preg_replace('/ in .*/', '', $waiter->output());
took_between('seconds', now() - $began, 0, 9);
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
