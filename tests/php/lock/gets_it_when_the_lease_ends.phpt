--TEST--
A waiter gets the lock when the lease of a holder that never releases ends
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
$holder = new RedisLock($server->dsn(), ['auto_release' => false]);
$holder->lock('x', expire: 1.0);
$holder->detach('x'); // it will not release it

$waiter = new RedisLock($server->dsn());
took_between('seconds', seconds(function () use ($waiter) {
    var_dump($waiter->lock('x', timeout: 5));
}), 0.9 - held_up(), 1.3);
var_dump($waiter->unlock('x'));
print_r(all_keys($server->client()));
?>
--EXPECT--
bool(true)
seconds: yes
bool(true)
Array
(
)
