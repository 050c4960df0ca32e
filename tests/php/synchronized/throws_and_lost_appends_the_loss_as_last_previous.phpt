--TEST--
The section throws and the lock was lost: its exception, with the loss as the last `previous`
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
$lock = new RedisLock($server->dsn());

try {
    $lock->synchronized('x', function () use ($redis) {
        $redis->cmd('DEL', 'lock:x');
        throw new DomainException('sold out', 0, new LogicException('why'));
    });
} catch (Throwable $e) {
    for (; $e; $e = $e->getPrevious()) {
        echo get_class($e), "\n";
    }
}
?>
--EXPECT--
DomainException
LogicException
RedisLockLostException
