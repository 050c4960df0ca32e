--TEST--
ensure() throws where less of the lease is left than asked for, by the clock and without a request
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
$ensure = function (float ...$atLeast) use ($lock, $redis, $server) {
    $before = request_calls($redis);
    try {
        $lock->ensure('x', ...$atLeast);
        echo 'good';
    } catch (RedisLockLostException | ValueError $e) {
        echo $e::class, ': ', preg_replace('/only \d+\.\d+ s/', 'only N s', str_replace($server->address(), 'SERVER', $e->getMessage()));
    }
    echo request_calls($redis) > $before ? ', which it asked for' : '', "\n";
};

$ensure();
$lock->lock('x', expire: 20);
$ensure();
$ensure(15);
$ensure(20);
$ensure(INF);
$ensure(-1);
$ensure(NAN);
$lock->expire('x', INF);
$ensure(INF);
$lock->expire('x', 0.05);
usleep(60000);
$ensure();
$lock->unlock('x');
$ensure();
try {
    $lock->ensure('x');
} catch (RedisLockLostException $e) {
    var_dump($e->lockName, $e->result, $e->server === $server->address());
}
?>
--EXPECT--
RedisLockLostException: SERVER: this object has not taken the lock, has given it up, or lost it so long ago that it was forgotten (lock "x")
good
good
RedisLockLostException: SERVER: only N s of the lease are left; asked for: 20 s (lock "x")
RedisLockLostException: SERVER: only N s of the lease are left; asked for: without end (lock "x")
ValueError: RedisLock::ensure(): Argument #2 ($atLeast) must be between 0 and 1000000000 seconds, or INF
ValueError: RedisLock::ensure(): Argument #2 ($atLeast) must be between 0 and 1000000000 seconds, or INF
good
RedisLockLostException: SERVER: the lease is over, or the lock was taken away (lock "x")
RedisLockLostException: SERVER: this object has not taken the lock, has given it up, or lost it so long ago that it was forgotten (lock "x")
string(1) "x"
NULL
bool(true)
