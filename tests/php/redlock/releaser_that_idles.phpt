--TEST--
A server was down while unlock() had its majority, and the process idles since: what the server keeps ends with its lease, or when the process talks to it
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

const LEASE = 4.0;
const RELEASE = <<<'PHP'
    $lock = new RedisLock(explode(' ', $argv[1]), ['expire' => (float) $argv[2], 'node_timeout' => 1.0]);
    echo $lock->lock('x') ? 'locked' : 'NOT LOCKED', "\n";
    fgets(STDIN);
    echo $lock->unlock('x') ? 'released' : 'LOST', ', ', RedisLock::stats()['unreleased'], " failed\n";
    fgets(STDIN);
    echo $lock->waiters('another'), " waiters\n";
    fgets(STDIN);
    PHP;

/** Has a process release its lock while the last server is down, and brings that back. */
function leave_behind(Ring $ring, float $lease): Worker
{
    $releaser = Worker::start(RELEASE, [implode(' ', $ring->dsns()), $lease]);
    echo $releaser->readLine(), "\n";
    wait_until(fn () => count(array_filter($ring->values('lock:x'))) === 3);
    $ring[2]->kill();
    $releaser->tell('');
    echo $releaser->readLine(), "\n";
    $ring[2]->restart();
    return $releaser;
}

$ring = new Ring(3, ['appendonly yes', 'appendfsync no']);
$idle = leave_behind($ring, LEASE);
$back = hrtime(true);
$ring[0]->kill();
$lock = new RedisLock($ring->dsns(), ['node_timeout' => 1.0]);
is_so('somebody else gets the lock', wait_until(fn () => $lock->lock('x'), 30.0));
$took = (hrtime(true) - $back) / 1e9;
took_between('when the lease is over', $took, 0.0, LEASE + 0.5);
$lock->unlock('x');
$idle->kill();
$ring[0]->restart();

$talks = leave_behind($ring, 600.0);
$talks->tell('');
echo $talks->readLine(), "\n";
is_so('nothing is left there', wait_until(fn () => $ring[2]->client()->cmd('EXISTS', 'lock:x') === 0));
$ring[0]->kill();
is_so('somebody else gets the lock', $lock->lock('x'));
tell_numbers(sprintf('a releaser that idles: the name was out of reach for %.3f s of a lease of %.0f s', $took, LEASE));
?>
--EXPECT--
locked
released, 0 failed
somebody else gets the lock: yes
when the lease is over: yes
locked
released, 0 failed
0 waiters
nothing is left there: yes
somebody else gets the lock: yes
