--TEST--
A connection that the server closed while it was idle is replaced without an error
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
$lock->lock('x');
foreach (['unlock', 'lock', 'isLocking', 'expire', 'owner', 'waiters'] as $method) {
    $wire->cutAll();
    echo "$method: ", json_encode($lock->$method('x') !== false), "\n";
}
$server->client()->cmd('CLIENT', 'KILL', 'TYPE', 'normal');
var_dump($lock->unlock('x'));
?>
--EXPECT--
unlock: true
lock: true
isLocking: true
expire: true
owner: true
waiters: true
bool(true)
