--TEST--
Row A: the third argument, an array that the old class ignored, is a TypeError before anything is locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]);

foreach ([[], ['expiredTime' => 60000]] as $config) {
    thrown(function () use ($lock, $config) {
        if ($lock->lock('SKU0001', 0, $config)) {
            echo "the section ran\n";
        }
    });
}
is_so('nothing is locked', all_keys($server->client()) === []);
?>
--EXPECT--
TypeError: RedisLock::lock(): Argument #3 ($expire) must be of type ?float, array given
TypeError: RedisLock::lock(): Argument #3 ($expire) must be of type ?float, array given
nothing is locked: yes
