--TEST--
persistent false: a connection of its own, closed with the object
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$a = new RedisLock($wire->dsn(), ['persistent' => false]);
$b = new RedisLock($wire->dsn(), ['persistent' => false]);
$a->lock('x');
$b->lock('y');
var_dump($wire->connections());
$wire->forget();
unset($a, $b);
is_so('closed', wait_until(fn () => count(array_filter($wire->events(), fn ($event) => $event[2] === 'close')) === 2));
?>
--EXPECT--
int(2)
closed: yes
