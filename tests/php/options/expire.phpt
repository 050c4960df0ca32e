--TEST--
The option `expire` is the lease where none is given, and $expire goes over it
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
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => 5]);

$lock->lock('x');
is_between('the option', $redis->cmd('PTTL', 'lock:x'), 1000, 5000);
$lock->lock('y', expire: 50);
is_between('the argument', $redis->cmd('PTTL', 'lock:y'), 40000, 50000);
?>
--EXPECT--
the option: yes
the argument: yes
