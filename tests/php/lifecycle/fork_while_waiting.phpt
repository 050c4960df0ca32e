--TEST--
A signal handler that forks while lock() waits: the parent keeps its place and gets its turn, the child has an exception and can take its own
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
foreach ([true, false] as $persistent) {
    $holder = new RedisLock($server->dsn());
    $holder->lock('x');
    $waiter = Worker::start(<<<'PHP'
        $lock = new RedisLock($argv[1], ['persistent' => (bool) $argv[2]]);
        pcntl_async_signals(true);
        $child = null;
        pcntl_signal(SIGUSR1, function () use (&$child) {
            $child = pcntl_fork();
        });
        try {
            $got = $lock->lock('x', 10.0);
            pcntl_waitpid($child, $status);
            echo 'parent: ', json_encode([$got, $lock->isLocking('x'), $lock->unlock('x')]), "\n";
        } catch (RedisLockException $e) {
            echo $child === 0 ? 'child: ' : 'PARENT: ', $e->getMessage(), "\n";
            echo json_encode([$lock->held(), $lock->lock('x'), $lock->lock('y'), $lock->unlock('y'), $lock->lock('y')]), "\n";
        }
        PHP, [$server->dsn(), (int) $persistent]);
    wait_until(fn () => blocked($redis) === 1);
    $blocked = array_map('intval', preg_match_all('/^id=(\d+) .* flags=\w*b/m', $redis->cmd('CLIENT', 'LIST'), $found) ? $found[1] : []);
    $waiter->signal('USR1');
    echo $waiter->readLine(), "\n", $waiter->readLine(), "\n";
    usleep(100000); // the child ends
    preg_match_all('/^id=(\d+) .* flags=\w*b/m', $redis->cmd('CLIENT', 'LIST'), $found);
    is_so('the same connection is blocked', array_map('intval', $found[1]) === $blocked && count($blocked) === 1, [$found[1], $blocked]);
    is_so('one waits', $holder->waiters('x') === 1);
    var_dump($holder->unlock('x'));
    echo $waiter->output();
    echo json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
child: a signal handler forked during this call; only the parent goes on with it
[[],false,true,true,true]
the same connection is blocked: yes
one waits: yes
bool(true)
parent: [true,true,true]
[]
child: a signal handler forked during this call; only the parent goes on with it
[[],false,true,true,true]
the same connection is blocked: yes
one waits: yes
bool(true)
parent: [true,true,true]
[]
