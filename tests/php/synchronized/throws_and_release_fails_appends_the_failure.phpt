--TEST--
The section throws and the server is gone: its exception, with the failure as the last `previous`
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
$lock = new RedisLock($server->dsn());

try {
    $lock->synchronized('x', function () use ($server) {
        $server->kill();
        throw new DomainException('sold out');
    });
} catch (Throwable $e) {
    for (; $e; $e = $e->getPrevious()) {
        echo get_class($e), $e instanceof RedisLockException ? " $e->lockName" : '', "\n";
    }
}
?>
--EXPECT--
DomainException
RedisLockConnectionException x
