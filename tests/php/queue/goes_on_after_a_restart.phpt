--TEST--
A wait goes on when its connection breaks, or the server comes back
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$redis = $server->client();
$worker = QueueWorker::start($server->dsn());

let_wait($redis, [$worker], 'reserve', 'x', 1, 30, 30);
$redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
await_blocked($redis, 1);
$redis->cmd('SCRIPT', 'FLUSH');
(new RedisQueue($server->dsn()))->enqueue('x', 'a');
echo $worker->answer()['result']['id'], "\n";

$redis = $server->client();
let_wait($redis, [$worker], 'pop', 'x', 1, 30);
$server->kill();
usleep(300000);
$server->restart();
$redis = $server->client();
await_blocked($redis, 1);
(new RedisQueue($server->dsn()))->enqueue('x', 'b');
echo $worker->answer()['result']['id'], "\n";
?>
--EXPECT--
a
b
