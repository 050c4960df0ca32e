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
    // Where the connection is closed, it asks over new ones; on a busy machine the last of them may be closed at the deadline.
    step('waits', fn () => $lock->lock('held', 1.5));
    step('waits for a task', fn () => $queue->pop('q', timeout: 1.5));
    is_so('nobody is left in line', wait_until(fn () => $holder->waiters('held') === 0, 5.0));
    $waiter = Remote::start($wire->dsn());
    $waiter->begin('lock', 'held', 10.0);
    usleep(300_000);
    $holder->unlock('held');
    echo 'is served: ', json_encode($waiter->answer()['result']), "\n"; // by asking again, over a connection after the other
    unset($holder);
}
?>
--EXPECTF--
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
waits: %r(NO|RedisLockConnectionException: the server closed the connection \(lock "held"\))%r
waits for a task: %r(NO|RedisQueueConnectionException: the server closed the connection \(queue "q"\))%r
nobody is left in line: yes
is served: true
