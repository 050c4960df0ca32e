--TEST--
Row D: a null name was false; now it is a ValueError, and nothing is locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

error_reporting(E_ALL & ~E_DEPRECATED); // PHP's own word on null for a string
$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['prefix' => 'Lock:', 'expire' => 15, 'auto_release' => false]);

thrown(function () use ($lock) {
    if ($lock->lock(null)) {
        echo "the section ran\n";
    }
});
is_so('nothing is locked', all_keys($server->client()) === []);
?>
--EXPECTF--
ValueError: RedisLock::lock(): Argument #1 ($name) must not be empty
nothing is locked: yes
