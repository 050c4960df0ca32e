--TEST--
A lost reply: the acquisition is repeated with the same token and found to be ours
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
$redis = $server->client();
$lock = new RedisLock($wire->dsn());
$lock->lock('{lock:x}warm-up');
$lock->unlock('{lock:x}warm-up');

$wire->forget();
$wire->loseReply('SET');
var_dump($lock->lock('x'));
is_so('ours', $redis->cmd('GET', 'lock:x') === $lock->token('x'));
is_so('asked on a new connection', $wire->connections() === 1, $wire->connections());
var_dump($lock->unlock('x'), all_keys($redis));
?>
--EXPECT--
bool(true)
ours: yes
asked on a new connection: yes
bool(true)
array(0) {
}
