--TEST--
A waiter that gave up on a stopped server: when the server goes on, it is handed nothing, and others do not wait for it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/faults.inc';

/** A process that waits and, when it has given up, says how. */
function waiter(RedisServer $server, float $timeout, array $options): Worker
{
    return Worker::start('
        $lock = new RedisLock($argv[1], unserialize($argv[3]));
        $start = hrtime(true);
        try {
            $outcome = var_export($lock->lock("x", (float) $argv[2]), true);
        } catch (RedisLockException $e) {
            $outcome = get_class($e);
        }
        printf("%.3f %s\n", (hrtime(true) - $start) / 1e9, $outcome);
        fgets(STDIN);
        ', [$server->dsn(), $timeout, serialize($options)]);
}

$server = RedisServer::start();
$redis = $server->client();
$first = new RedisLock($server->dsn());
$first->lock('x') && $first->unlock('x'); // the server knows the scripts
// Stopped for less than read_timeout it counts as slow, and the lock as held; for longer, as unreachable.
foreach ([[], ['connect_timeout' => 0.1, 'read_timeout' => 0.1]] as $options) {
    foreach (['released before it gave up', 'released after', 'held on'] as $order) {
        $redis->cmd('FLUSHALL');
        $holder = new RedisLock($server->dsn(), ['connect_timeout' => 0.1, 'read_timeout' => 0.1, 'persistent' => false]);
        $holder->lock('x');
        $worker = waiter($server, 0.6, $options);
        wait_until(fn () => server_info($redis, 'clients')['blocked_clients'] === '1');
        $server->pause();
        if ($order === 'released before it gave up') {
            // It waits at the server in front of what the waiter writes last: the baton goes to one that has gone.
            echo outcome(fn () => $holder->unlock('x')), ', ';
        }
        [$took, $outcome] = explode(' ', $worker->readLine());
        is_between("$order: $outcome, seconds", (float) $took, 0.5, 0.65);
        $server->resume();
        if ($order === 'released after') {
            var_dump($holder->unlock('x'));
        } elseif ($order === 'held on') {
            is_so('nobody waits', wait_until(fn () => $holder->waiters('x') === 0, 0.3));
            var_dump($holder->unlock('x'));
        }
        $next = new RedisLock($server->dsn());
        $got = seconds(function () use ($next, &$had) {
            $had = $next->lock('x', 3.0);
        });
        is_between('the next has it: ' . json_encode($had) . ', seconds', $got, 0, 0.3);
        var_dump($next->unlock('x'));
        is_so('no key is left', wait_until(fn () => all_keys($redis) === [], 0.3), all_keys($redis));
        $worker->kill();
    }
}
?>
--EXPECT--
RedisLockConnectionException, released before it gave up: false, seconds: yes
the next has it: true, seconds: yes
bool(true)
no key is left: yes
released after: false, seconds: yes
bool(true)
the next has it: true, seconds: yes
bool(true)
no key is left: yes
held on: false, seconds: yes
nobody waits: yes
bool(true)
the next has it: true, seconds: yes
bool(true)
no key is left: yes
RedisLockConnectionException, released before it gave up: RedisLockConnectionException, seconds: yes
the next has it: true, seconds: yes
bool(true)
no key is left: yes
released after: RedisLockConnectionException, seconds: yes
bool(true)
the next has it: true, seconds: yes
bool(true)
no key is left: yes
held on: RedisLockConnectionException, seconds: yes
nobody waits: yes
bool(true)
the next has it: true, seconds: yes
bool(true)
no key is left: yes
