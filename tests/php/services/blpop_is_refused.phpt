--TEST--
A proxy that takes no BLPOP, as Envoy, twemproxy and Codis: all works but waiting, and the message says so
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';

/** Where each connection is closed, a waiter asks over new ones. If it is held up, the last of them may be closed at its deadline. */
function in_vain(callable $wait): mixed
{
    $before = held_up();
    try {
        return $wait();
    } catch (RedisLockConnectionException | RedisQueueConnectionException $e) {
        return str_contains($e->getMessage(), 'closed the connection') && held_up() - $before > 0.05 ? false : throw $e;
    }
}

foreach ([
    'an error' => "ERR unknown command 'blpop', with args beginning with: '{lock:a}:rl:baton' '5' ",
    'another error' => "unsupported command 'BLPOP'",
    'the connection is closed' => '',
] as $how => $error) {
    echo "$how\n";
    $server = RedisServer::start();
    $wire = new Wire($server);
    $wire->refuse('BLPOP', $error);
    $lock = new RedisLock($wire->dsn());
    use_locks($lock, ['a']);
    use_many($lock, ['a', 'b', 'c'], new RedisLock($wire->dsn()));
    step('remembers', fn () => $lock->remember('value', fn () => 'built', 60) === 'built');
    $queue = new RedisQueue($wire->dsn());
    step('enqueues and takes a task', fn () => $queue->enqueue('q', 'one') && $queue->pop('q')['id'] === 'one');

    $holder = new RedisLock($server->dsn());
    $holder->lock('held');
    step('waits', fn () => in_vain(fn () => $lock->lock('held', 1.5)));
    step('waits for a task', fn () => in_vain(fn () => $queue->pop('q', timeout: 1.5)));
    is_so('nobody is left in line', wait_until(fn () => $holder->waiters('held') === 0, 5.0));
    $waiter = Remote::start($wire->dsn());
    $waiter->begin('lock', 'held', 10.0);
    usleep(300_000);
    $holder->unlock('held');
    echo 'is served: ', json_encode($waiter->answer()['result']), "\n"; // by asking again, over a connection after the other
    unset($holder);
}
?>
--EXPECT--
an error
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits: RedisLockServerException: the server has no BLPOP, which wakes waiters (ERR unknown command 'blpop') (lock "held")
waits for a task: RedisQueueServerException: the server has no BLPOP, which wakes waiters (ERR unknown command 'blpop') (queue "q")
nobody is left in line: yes
is served: null
another error
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits: RedisLockServerException: the server has no BLPOP, which wakes waiters (unsupported command 'BLPOP') (lock "held")
waits for a task: RedisQueueServerException: the server has no BLPOP, which wakes waiters (unsupported command 'BLPOP') (queue "q")
nobody is left in line: yes
is served: null
the connection is closed
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits: NO
waits for a task: NO
nobody is left in line: yes
is served: true
