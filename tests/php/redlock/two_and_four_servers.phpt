--TEST--
Of two servers both are needed, of four three
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

foreach ([2 => 1, 3 => 2, 4 => 2] as $count => $dead) {
    $ring = new Ring($count);
    $lock = new RedisLock($ring->dsns());
    for ($i = 0; $i < $dead; $i++) {
        echo "$i of $count dead: ", outcome(fn () => $lock->lock('x')), "\n";
        $lock->unlock('x');
        $ring[$i]->kill();
    }
    echo "$i of $count dead: ", outcome(fn () => $lock->lock('x')), "\n";
}
?>
--EXPECT--
0 of 2 dead: true
1 of 2 dead: RedisLockConnectionException
0 of 3 dead: true
1 of 3 dead: true
2 of 3 dead: RedisLockConnectionException
0 of 4 dead: true
1 of 4 dead: true
2 of 4 dead: RedisLockConnectionException
