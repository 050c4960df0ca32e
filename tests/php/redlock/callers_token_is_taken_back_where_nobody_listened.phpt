--TEST--
A caller's token is taken back from the server that answers after the vote was lost
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/ring.inc';

$ring = new Ring(3);
$wire = new Wire($ring[2]); // a longer way than to the others
$lock = new RedisLock([$ring[0]->dsn(), $ring[1]->dsn(), $wire->dsn()]);
$lock->lock('warm-up', token: 'mine');
$lock->unlock('warm-up');

$isFree = fn ($server) => $server->client()->cmd('EXISTS', 'lock:x') === 0;
for ($i = 0; $i < 20; $i++) {
    $ring[0]->client()->cmd('SET', 'lock:x', 'other');
    $ring[1]->client()->cmd('SET', 'lock:x', 'other');
    if ($lock->lock('x', token: "mine-$i") || !wait_until(fn () => $isFree($ring[2]), 5.0)) {
        echo "left: ", $ring[2]->client()->cmd('GET', 'lock:x'), "\n";
        break;
    }
    $ring[0]->client()->cmd('DEL', 'lock:x');
    $ring[1]->client()->cmd('DEL', 'lock:x');
    if (!$lock->lock('x', token: "mine-$i-again") || !$lock->unlock('x')) {
        echo "not had\n";
    }
}

// Servers that do not answer at all, and carry out later what they were sent.
$ring[0]->pause();
$ring[1]->pause();
echo outcome(fn () => $lock->lock('y', token: 'mine')), "\n";
$ring[0]->resume();
$ring[1]->resume();
$ring->isClean();
?>
--EXPECT--
RedisLockConnectionException
nothing is left: yes
