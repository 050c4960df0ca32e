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
function takes(RedisLock $lock, string $name, array $servers): bool
{
    $isEverywhere = fn () => count(array_filter($servers, fn ($server) => $server->client()->cmd('EXISTS', "lock:$name"))) === count($servers);
    return wait_until(fn () => $lock->lock($name) && ($isEverywhere() || !$lock->unlock($name)));
}

/** Waits until somebody has asked all servers in vain, and stands in line: only then is he blocked. */
function is_waited_for(string $name, array $servers): bool
{
    $lock = new RedisLock(array_map(fn ($server) => $server->dsn(), $servers));
    $blocked = fn () => array_sum(array_map(fn ($server) => blocked($server->client()), $servers));
    return wait_until(fn () => $lock->waiters($name) === 1 && $blocked() === 1);
}

/** One that waits for b loses a to another, and is served b then. */
function loses_a(array $servers, int $timeout, bool $comesBack): void
{
    $dsns = array_map(fn ($server) => $server->dsn(), $servers);
    $holder = new RedisLock($dsns);
    $other = new RedisLock($dsns);
    takes($holder, 'b', $servers);
    $waiter = Worker::start('
        $lock = new RedisLock(json_decode($argv[1]));
        $taken = $lock->lockAll(["a", "b"], (float) $argv[2], 20.0);
        echo json_encode([$taken, array_map($lock->isLocking(...), ["a", "b"])]), "\n";
        fgets(STDIN);
    ', [json_encode($dsns), (string) $timeout]);
    is_so('it waits for b', is_waited_for('b', $servers));
    is_so('another has a', $other->forceUnlock('a') && takes($other, 'a', $servers));
    is_so('b is released', $holder->unlock('b'));
    if ($comesBack) {
        is_so('it waits for a', is_waited_for('a', $servers));
        is_so('a is released', $other->unlock('a'));
    }
    echo $waiter->readLine(), "\n";
    is_so($comesBack ? 'it keeps b' : 'b is given back', $other->lock('b') !== $comesBack);
    $waiter->tell('go on');
    $waiter->wait();
}

$server = RedisServer::start();
echo "one server\n";
loses_a([$server], 20, true);
loses_a([$server], 1, false);
echo "three\n";
loses_a((new Ring(3))->servers, 20, true);
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
