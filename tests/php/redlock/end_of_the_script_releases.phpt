--TEST--
A script that ends releases everywhere, also what it had just asked for
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require_once __DIR__ . '/../inc/process.inc';

$ring = new Ring(5);
foreach (['true', "'request'"] as $release) {
    echo Worker::run('
        $lock = new RedisLock(explode(" ", $argv[1]), ["auto_release" => ' . $release . ', "persistent" => $argv[2] === "1", "node_timeout" => 0.9]);
        var_dump($lock->lock("x", expire: 60.0), $lock->lock("y", expire: 60.0));
    ', [implode(' ', $ring->dsns()), $release === 'true' ? 0 : 1]);
    $ring->isClean();
}
?>
--EXPECT--
bool(true)
bool(true)
nothing is left: yes
bool(true)
bool(true)
nothing is left: yes
