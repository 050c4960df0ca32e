--TEST--
remember() and once(): the server's environment variable is gone when the value is built: the object still has the release to send
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

/** Builds a value and takes the variable away, which is set again after the call. */
function build(RedisLock $lock, string $method): void
{
    $built = function () {
        putenv('LOCK_SERVER');
        return 'built';
    };
    putenv('LOCK_SERVER=' . $GLOBALS['server']->dsn());
    echo "$method: ", outcome(fn () => $method === 'once' ? @$lock->once('k', fn () => null, $built) : $lock->remember('k', $built, 60)), "\n";
    putenv('LOCK_SERVER=' . $GLOBALS['server']->dsn());
    echo implode(' ', all_keys($GLOBALS['redis'])), ' ', json_encode($lock->held()), "\n";
}

foreach (['remember', 'once'] as $method) {
    $lock = new RedisLock('env:LOCK_SERVER', ['expire' => 300, 'timeout' => slow(5.0)]);
    build($lock, $method);
    echo 'unlockAll(): ', json_encode($lock->unlockAll()), ' ', json_encode(all_keys($redis)), "\n";
    build($lock, $method);
    unset($lock);
    echo 'without the object: ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
remember: RedisLockConnectionException
lock:k []
unlockAll(): true []
remember: RedisLockConnectionException
lock:k []
without the object: []
once: 'built'
lock:k []
unlockAll(): true []
once: 'built'
lock:k []
without the object: []
