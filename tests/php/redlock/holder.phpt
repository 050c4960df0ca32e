--TEST--
Several servers: holder() is what a majority says, with the waiters of the one at which they stand in line
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';
require __DIR__ . '/../inc/process.inc';

$ring = new Ring(3);
$lock = new RedisLock($ring->dsns(), ['owner' => 'the shop']);
$asker = new RedisLock($ring->dsns());

function show(?array $holder): void
{
    echo json_encode($holder === null ? null : ['since' => is_float($holder['since']), 'lease' => $holder['lease'] > 20 && $holder['lease'] <= 60] + $holder), "\n";
}

show($asker->holder('x'));
$lock->lock('x', 0, 60);
$waiter = Worker::start('(new RedisLock(array_slice($argv, 1)))->lock("x", 60);', $ring->dsns());
is_so('one waits', wait_until(fn () => $asker->holder('x')['waiters'] === 1), $asker->holder('x'));
show($asker->holder('x'));
$ring[2]->kill();
show($asker->holder('x'));
$ring[1]->kill();
echo outcome(fn () => $asker->holder('x')), "\n";
?>
--EXPECT--
null
one waits: yes
{"since":true,"lease":true,"owner":"the shop","renewed":false,"waiters":1}
{"since":true,"lease":true,"owner":"the shop","renewed":false,"waiters":1}
RedisLockConnectionException
