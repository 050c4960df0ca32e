--TEST--
A server was down while unlock() had its majority: a lock whose token the caller was told is not released there later, since somebody may have taken it again with that token
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(3, ['appendonly yes', 'appendfsync always']);
$asks = [
    'nobody' => fn (RedisLock $lock) => null,
    'token()' => fn (RedisLock $lock) => $lock->token('x'),
    'owner()' => fn (RedisLock $lock) => $lock->owner('x'),
];
foreach ($asks as $how => $ask) {
    $lock = new RedisLock($ring->dsns(), ['expire' => 600.0, 'node_timeout' => 1.0]);
    $lock->lock('x');
    wait_until(fn () => count(array_filter($ring->values('lock:x'))) === 3);
    $ask($lock);
    $ring[2]->kill();
    is_so("$how was told, and the lock is released", $lock->unlock('x'));
    $ring[2]->restart();
    $lock->waiters('another');
    $goes = wait_until(fn () => !$ring->values('lock:x')[2], 1.0);
    echo 'the third server ', $goes ? "releases it too\n" : "keeps it\n";
    $ring[2]->client()->cmd('DEL', 'lock:x');
}
?>
--EXPECT--
nobody was told, and the lock is released: yes
the third server releases it too
token() was told, and the lock is released: yes
the third server keeps it
owner() was told, and the lock is released: yes
the third server keeps it
