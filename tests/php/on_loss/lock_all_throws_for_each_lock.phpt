--TEST--
on_loss throw: of several locks that are lost at once, each is told, by the exception or by one of its previous ones
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'on_loss' => 'throw']);
$names = [];
for ($i = 0; $i < 3; $i++) {
    try {
        $i === 0 && $lock->lockAll(['a', 'b', 'c']);
        compute(LONG);
    } catch (RedisLockLostException $e) {
        $names[] = $e->lockName;
        for ($depth = 0, $p = $e; $p = $p->getPrevious(); $depth++) {
            $names[] = $p->lockName;
        }
        if (count($names) >= 3) {
            break;
        }
    }
}
sort($names);
echo implode(' ', $names), "\n";
thrown(fn () => compute(0.2));
?>
--EXPECT--
a b c
nothing thrown, returned 'computed to the end'
