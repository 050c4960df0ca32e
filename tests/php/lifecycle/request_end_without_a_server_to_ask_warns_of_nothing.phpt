--TEST--
The variable that names the server is gone when the request ends: nobody can act on that any more, so no warning; before that there is one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
putenv('LOCK_SERVER=' . $server->dsn());
$dropped = new RedisLock('env:LOCK_SERVER');
$dropped->lock('dropped');
$kept = new RedisLock('env:LOCK_SERVER');
$kept->lock('kept');
putenv('LOCK_SERVER');
unset($dropped);
echo "the request ends\n";
?>
--EXPECTF--
Warning: main(): RedisLock could not release its locks; they last until their leases end: %s in %s on line %d
the request ends
