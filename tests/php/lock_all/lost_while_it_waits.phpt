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

/** Takes a lock on all servers. Where a busy machine leaves one out, nobody stands in line for it there. */
function takes(RedisLock $lock, string $name, Ring $ring): bool
{
    $isEverywhere = fn () => !in_array(null, $ring->values("lock:$name"), true);
    return wait_until(fn () => $lock->lock($name) && ($isEverywhere() || !$lock->unlock($name)));
}

/** Waits until somebody has asked all servers in vain, and stands in line: only then is he blocked. */
function is_waited_for(RedisLock $lock, string $name, Ring $ring): bool
{
    return wait_until(fn () => $lock->waiters($name) === 1 && $ring->blocked() === 1);
}

/** One that waits for b loses a to another, and is served b then. */
function loses_a(Ring $ring, int $timeout, bool $comesBack): void
{
    $holder = new RedisLock($ring->dsns());
    $other = new RedisLock($ring->dsns());
    takes($holder, 'b', $ring);
    $waiter = Worker::start('
        $lock = new RedisLock(json_decode($argv[1]), ["node_timeout" => 0.9]);
        $taken = $lock->lockAll(["a", "b"], (float) $argv[2], 20.0);
        echo json_encode([$taken, array_map($lock->isLocking(...), ["a", "b"])]), "\n";
        fgets(STDIN);
    ', [json_encode($ring->dsns()), (string) $timeout]);
    is_so('it waits for b', is_waited_for($holder, 'b', $ring));
    is_so('another has a', $other->forceUnlock('a') && takes($other, 'a', $ring));
    is_so('b is released', $holder->unlock('b'));
    if ($comesBack) {
        is_so('it waits for a', is_waited_for($other, 'a', $ring));
        is_so('a is released', $other->unlock('a'));
    }
    echo $waiter->readLine(), "\n";
    is_so($comesBack ? 'it keeps b' : 'b is given back', $other->lock('b') !== $comesBack);
    $waiter->tell('go on');
    $waiter->wait();
}

$single = new Ring(1);
echo "one server\n";
loses_a($single, 20, true);
loses_a($single, 1, false);
echo "three\n";
loses_a(new Ring(3), 20, true);
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
