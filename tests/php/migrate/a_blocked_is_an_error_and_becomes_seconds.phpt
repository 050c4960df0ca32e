--TEST--
Row A: lock($name, RedisLock::BLOCKED) is an Error before anything is locked; lock($name, 10) is the same wait
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]);

thrown(function () use ($lock) {
    if ($lock->lock('SKU0001', RedisLock::BLOCKED)) {
        echo "the section ran\n";
    }
});
is_so('nothing is locked', all_keys($redis) === [], all_keys($redis));

$holder = Worker::start(
    'require $argv[1] . "/old_request_id_lock.inc";
    $old = new OldRequestIdLock(new RawClient($argv[2]));
    var_dump($old->lock("SKU0001"));
    usleep(700000);
    $old->unlock("SKU0001");',
    [__DIR__, $server->addressOf('SKU0001')],
);
echo 'the old class: ', $holder->readLine(), "\n";
$took = seconds(function () use ($lock) {
    if ($lock->lock('SKU0001', 10)) {
        echo "ours after it\n";
        $lock->unlock('SKU0001');
    }
});
took_between('it waited for the old one, and noticed its silent release in time', $took, 0.5, 1.2);
?>
--EXPECT--
Error: Undefined constant RedisLock::BLOCKED
nothing is locked: yes
the old class: bool(true)
ours after it
it waited for the old one, and noticed its silent release in time: yes
