--TEST--
Where set_time_limit counts the time that passes, its fatal error ends a wait, and nothing is left
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (!time_limit_is_wall_time()) {
    die('skip there the limit is processor time');
}
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$said = Worker::run(<<<'PHP'
    set_time_limit(1);
    $lock = new RedisLock($argv[1]);
    $lock->lock('another', 0, 60);
    $began = hrtime(true);
    register_shutdown_function(function () use ($began) {
        $took = (hrtime(true) - $began) / 1e9;
        echo $took >= 0.5 && $took < 9.0 ? 'in time' : "after $took s", "\n";
    });
    $lock->lock('x', 10.0);
    echo "NOT REACHED\n";
    PHP, [$server->dsn()]);
echo preg_replace('/ in .* on line \d+/', '', trim($said)), "\n";
wait_until(fn () => blocked($redis) === 0 && $holder->waiters('x') === 0); // what it wrote last is carried out
is_so('nobody waits', $holder->waiters('x') === 0, $holder->waiters('x'));
print_r(all_keys($redis));
?>
--EXPECT--
Fatal error: Maximum execution time of 1 second exceeded
in time
nobody waits: yes
Array
(
    [0] => lock:x
)
