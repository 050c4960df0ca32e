--TEST--
No socket there: RedisLockConnectionException with the path and the reason, without control bytes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('unix:///nonexistent/redis.sock?db=2');
$e = thrown(fn () => $lock->lock('SKU0001'));
var_dump($e->lockName, $e->server, $e->redisError);
foreach (["unix:///nowhere/\n\x1b[31m", 'unix:///nowhere/%0A%1B[31m'] as $dsn) {
    try {
        (new RedisLock($dsn))->lock('x');
    } catch (RedisLockConnectionException $e) {
        echo $e->server, ' ', preg_match('/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/', $e->getMessage()) === 0 ? 'clean' : 'NOT CLEAN', "\n";
    }
}
?>
--EXPECTF--
RedisLockConnectionException: %s/nonexistent/redis.sock%sNo such file%s
string(7) "SKU0001"
string(35) "unix:///nonexistent/redis.sock?db=2"
string(0) ""
unix:///nowhere/\x0A\x1B[31m clean
unix:///nowhere/\x0A\x1B[31m clean
