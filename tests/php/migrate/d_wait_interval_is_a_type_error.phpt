--TEST--
Row D: the fourth argument, microseconds between attempts, is a TypeError before anything is locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);

foreach ([100000, 100000.0, true, false] as $interval) {
    thrown(function () use ($lock, $interval) {
        if ($lock->lock('x', 5, 15, $interval)) {
            echo "the section ran\n";
        }
    });
}
is_so('nothing is locked', all_keys($redis) === [], all_keys($redis));
is_so('without it the call works', $lock->lock('x', 5, 15) && all_keys($redis) === ['Lock:x']);
?>
--EXPECTF--
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, int given: %s leave it out %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, float given: %s leave it out %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, bool given: %s leave it out %s
TypeError: RedisLock::lock(): Argument #4 ($token) must be of type ?string, bool given: %s leave it out %s
nothing is locked: yes
without it the call works: yes
