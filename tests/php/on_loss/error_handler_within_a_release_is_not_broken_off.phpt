--TEST--
PHP code that runs within a release of locks is not broken off
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
class Weird extends RedisLock
{
    public function unlockAll(): bool
    {
        echo "a method of a subclass\n";
        return parent::unlockAll();
    }
}

set_error_handler(function (int $type, string $text) use (&$lock) {
    compute(lease(1.5));
    echo "the handler is over\n";
    return true;
});
$lock = new Weird($server->dsn(), ['expire' => lease(1.2), 'read_timeout' => 0.2, 'on_loss' => 'throw']);
thrown(function () use (&$lock, $redis, $server) {
    $lock->lockAll(['x', 'y']);
    $redis->cmd('DEL', 'lock:x');
    return $lock->unlockAll();
});
thrown(fn () => compute(lease(1.5)));
?>
--EXPECT--
a method of a subclass
nothing thrown, returned false
nothing thrown, returned 'computed to the end'
