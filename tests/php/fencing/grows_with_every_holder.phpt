--TEST--
fence() is larger for every later holder of the lock
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
$a = new RedisLock($server->dsn(), ['fencing' => true]);
$b = new RedisLock($server->dsn(), ['fencing' => true]);

$fences = [];
for ($i = 0; $i < 20; $i++) {
    $lock = $i % 2 ? $a : $b;
    $lock->lock('x');
    $fences[] = $lock->fence('x');
    $lock->unlock('x');
}
$sorted = array_unique($fences);
sort($sorted);
is_so('strictly growing', $sorted === $fences, $fences);
is_between('anchored in the server\'s clock, µs', $fences[0] / 1e6, time() - 60, time() + 60);
?>
--EXPECT--
strictly growing: yes
anchored in the server's clock, µs: yes
