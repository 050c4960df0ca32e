--TEST--
set_time_limit counts CPU time, so a wait does not use it up
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (time_limit_is_wall_time()) {
    die('skip there the limit is wall time');
}
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
foreign_lock($redis, 'lock:x', 'theirs');
$said = Worker::run(<<<'PHP'
    set_time_limit(1);
    $lock = new RedisLock($argv[1]);
    $began = hrtime(true);
    $got = $lock->lock('x', 2.2);
    $took = (hrtime(true) - $began) / 1e9;
    echo json_encode($got), $took >= 2.1 && $took < 4.0 ? ' after its timeout' : " after $took s", "\n";
    PHP, [$server->dsn()]);
echo $said;
echo foreign_unlock($redis, 'lock:x', 'theirs') ? "unlocked\n" : "lost\n";
print_r(all_keys($redis));
?>
--EXPECT--
false after its timeout
unlocked
Array
(
)
