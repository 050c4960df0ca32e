--TEST--
A fork while connected: the child's calls go over connections of its own, and its end closes none of the parent's
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
    $wire = new Wire($server);
    $lock = new RedisLock($wire->dsn(), ['persistent' => $persistent]);
    $lock->lock('x');
    $parents = client_ids($redis);
    for ($i = 0; $i < 3; $i++) {
        in_a_fork(function () use ($lock, $i) {
            $lock->owner("child $i");
            $lock->owner("child $i");
        });
    }
    in_a_fork(fn () => null); // one that ends without a call
    wait_until(fn () => client_ids($redis) === $parents); // the server hears of a child's end when the relay has
    is_so('the parent has its connection still', client_ids($redis) === $parents, [client_ids($redis), $parents]);
    $lock->unlock('x');
    $users = [];
    foreach ($wire->events() as [, $connection, $what, $args]) {
        if ($what === 'request') {
            foreach (preg_grep('/^lock:[^:]*$/', $args) as $key) {
                $users[$connection][$key] = true; // the login has none
            }
        }
    }
    print_r(array_map(fn ($keys) => implode(' ', array_keys($keys)), $users));
    unset($lock);
}
?>
--EXPECT--
the parent has its connection still: yes
Array
(
    [1] => lock:x
    [2] => lock:child 0
    [3] => lock:child 1
    [4] => lock:child 2
)
the parent has its connection still: yes
Array
(
    [1] => lock:x
    [2] => lock:child 0
    [3] => lock:child 1
    [4] => lock:child 2
)
