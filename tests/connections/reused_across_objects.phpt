--TEST--
Objects that come and go, and that differ in all but the server and the login, share one connection
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start();
$wire = new Wire($server);
for ($i = 0; $i < 20; $i++) {
    $lock = new RedisLock($wire->dsn(), ['prefix' => "p$i:", 'expire' => 1 + $i, 'auto_release' => (bool) ($i % 2), 'fencing' => $i % 3 === 0, 'connect_timeout' => 1 + $i]);
    $lock->lock("x$i");
    $others[] = $lock;
    $lock = new RedisLock($wire->dsn());
    $lock->lock("y$i");
}
is_between('requests', count(array_keys($wire->requests(), 'EVALSHA')), 40, 100);
echo 'connections: ', $wire->connections(), "\n";
?>
--EXPECT--
requests: yes
connections: 1
