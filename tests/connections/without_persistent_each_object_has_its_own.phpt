--TEST--
persistent => false: each object has its own connection, which ends with it
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
$redis = $server->client();
$locks = [];
for ($i = 0; $i < 5; $i++) {
    $locks[$i] = new RedisLock($server->dsn(), ['persistent' => false]);
    $locks[$i]->lock("x$i");
    $locks[$i]->lock("y$i");
}
echo count(clients($redis)), "\n";
unset($locks[0], $locks[1]);
wait_until(fn () => count(clients($redis)) === 3);
echo count(clients($redis)), "\n";
$locks = [];
wait_until(fn () => clients($redis) === []);
echo count(clients($redis)), "\n";
// The same with a lock that stays until the request ends: its connection is not needed before.
(new RedisLock($server->dsn(), ['persistent' => false, 'auto_release' => 'request']))->lock('kept');
is_so('one at most', count(clients($redis)) <= 1);
?>
--EXPECT--
5
3
0
one at most: yes
