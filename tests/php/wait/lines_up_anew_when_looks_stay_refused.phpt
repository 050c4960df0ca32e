--TEST--
A waiter whose second connection stays refused lines up anew, so that a release still finds it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x', null, 60.0);
$waiter = Remote::start($server->dsn());
$redis->cmd('CONFIG', 'SET', 'maxclients', server_info($redis, 'clients')['connected_clients']);
$waiter->begin('lock', 'x', 40.0);
await_blocked($redis, 1);
// Its entry in the queue ends long before this, since no look renews it.
usleep(9000000);
$released = now();
$holder->unlock('x');
$answer = $waiter->answer();
is_so('it has the lock', $answer['result'] === true, $answer);
took_between('seconds after the release', $answer['ended'] - $released, 0, 10);
$redis->cmd('CONFIG', 'SET', 'maxclients', 1000);
?>
--EXPECT--
it has the lock: yes
seconds after the release: yes
