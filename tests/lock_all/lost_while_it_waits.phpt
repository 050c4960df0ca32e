--TEST--
lockAll() that waited does not return with a lock that it lost meanwhile: it begins again, or is false
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../redlock/ring.inc';

/** One that waits for b loses a to another, and is served b then. */
function loses_a(array|string $dsn, int $timeout, bool $comesBack): void
{
    $holder = new RedisLock($dsn);
    $other = new RedisLock($dsn);
    $holder->lock('b');
    $waiter = Worker::start('
        $lock = new RedisLock(json_decode($argv[1]));
        $taken = $lock->lockAll(["a", "b"], (float) $argv[2], 20.0);
        echo json_encode([$taken, array_map($lock->isLocking(...), ["a", "b"])]), "\n";
        fgets(STDIN);
    ', [json_encode($dsn), (string) $timeout]);
    is_so('it waits for b', wait_until(fn () => $holder->waiters('b') === 1));
    is_so('another has a', $other->forceUnlock('a') && $other->lock('a'));
    is_so('b is released', $holder->unlock('b'));
    if ($comesBack) {
        is_so('it waits for a', wait_until(fn () => $other->waiters('a') === 1));
        is_so('a is released', $other->unlock('a'));
    }
    echo $waiter->readLine(), "\n";
    is_so($comesBack ? 'it keeps b' : 'b is given back', $other->lock('b') !== $comesBack);
    $waiter->tell('go on');
    $waiter->wait();
}

$server = RedisServer::start();
echo "one server\n";
loses_a($server->dsn(), 20, true);
loses_a($server->dsn(), 1, false);
$ring = new Ring(3);
echo "three\n";
loses_a($ring->dsns(), 20, true);
?>
--EXPECT--
one server
it waits for b: yes
another has a: yes
b is released: yes
it waits for a: yes
a is released: yes
[true,[true,true]]
it keeps b: yes
it waits for b: yes
another has a: yes
b is released: yes
[false,[false,false]]
b is given back: yes
three
it waits for b: yes
another has a: yes
b is released: yes
it waits for a: yes
a is released: yes
[true,[true,true]]
it keeps b: yes
