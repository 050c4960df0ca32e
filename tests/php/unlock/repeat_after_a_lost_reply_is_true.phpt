--TEST--
The release ran but its reply was lost: the repeat finds the token gone, and it was ours
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

$wire->loseReply('EVALSHA');
var_dump($lock->unlock('x'));
var_dump(all_keys($server->client()), $lock->held());
?>
--EXPECT--
bool(true)
array(0) {
}
array(0) {
}
