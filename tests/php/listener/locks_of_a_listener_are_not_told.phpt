--TEST--
A listener may use locks, the same object too: of these it is told nothing, and it is not called within itself
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$calls = 0;
$lock = new RedisLock($server->dsn(), ['listener' => function (string $event, string $name) use (&$lock, &$calls) {
    $calls++;
    echo "$event $name\n";
    var_dump($lock->synchronized('log', fn () => 'written'));
}]);
$lock->lock('x');
$lock->unlock('x');
var_dump($calls);

echo "it drops the object\n";
$lock = new RedisLock($server->dsn(), ['listener' => function (string $event) use (&$lock) {
    echo "$event\n";
    $lock = null;
}]);
var_dump($lock->lockAll(['a', 'b']));
var_dump($lock, $server->client()->cmd('KEYS', '*'));

echo "it suspends no fiber\n";
$lock = new RedisLock($server->dsn(), ['listener' => fn () => Fiber::suspend()]);
(new Fiber(fn () => var_dump($lock->lock('y'))))->start();
unset($lock);
?>
--EXPECTF--
acquired x
string(7) "written"
released x
string(7) "written"
int(2)
it drops the object
acquired
acquired
released
released
bool(true)
NULL
array(0) {
}
it suspends no fiber

Warning: RedisLock: the listener threw FiberError: Cannot switch fibers in current execution context in %s on line %d
bool(true)

Warning: %s
