--TEST--
A renewed lease that is taken away: the listener hears of it while PHP code runs, once
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
$lock = new RedisLock($server->dsn(), ['expire' => 0.6, 'renew' => true, 'listener' => function (string $event, string $name) use (&$heard) {
    $heard[] = "$event $name";
}]);
$lock->lock('x');
$server->client()->cmd('DEL', 'lock:x');
$until = microtime(true) + 20;
while (count($heard) < 2 && microtime(true) < $until) {
    md5('work');
}
echo implode(', ', $heard), "\n";
var_dump($lock->lost('x'), $lock->unlock('x'));
echo implode(', ', $heard), "\n";
?>
--EXPECT--
acquired x, lost x
bool(true)
bool(false)
acquired x, lost x
