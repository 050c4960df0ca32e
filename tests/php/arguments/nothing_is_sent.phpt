--TEST--
A bad argument is refused before anything is sent
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$bad = [
    fn () => $lock->lock(''), fn () => $lock->lock('x', NAN), fn () => $lock->lock('x', 1, 0),
    fn () => $lock->lock('x', 1, 1, 5), fn () => $lock->lock('x:rl:wait'), fn () => $lock->unlock('x', 5),
    fn () => $lock->expire('x', 0), fn () => $lock->attach('x', ''), fn () => $lock->synchronized('x', fn () => 1, -1),
];
foreach ($bad as $call) {
    try {
        $call();
        echo "nothing thrown\n";
    } catch (ValueError | TypeError) {
    }
}
var_dump($wire->requests(), $wire->connections());
?>
--EXPECT--
array(0) {
}
int(0)
