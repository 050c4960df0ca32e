--TEST--
Row D's class without its TTL repair and ours on one key, 8 processes each for 4 s: never two at once
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/contest.inc';

$server = RedisServer::start();
contest(
    $server,
    'require ' . var_export(__DIR__ . '/old_named_locks.inc', true) . ';
    $lock = new OldNamedLocks(new RawClient($argv[1]), repair: false);
    $args = end($argv) % 2 ? ["x", 10, 15, 20000] : ["x"];
    $take = fn ($lock) => $lock->lock(...$args);
    $give = fn ($lock) => $lock->unlock("x");',
    '$lock = new RedisLock($argv[4], ["prefix" => "Lock:", "expire" => 15, "auto_release" => false]);
    $args = end($argv) % 2 ? ["x", 10, 15] : ["x"];
    $take = fn ($lock) => $lock->lock(...$args);
    $give = fn ($lock) => $lock->unlock("x");',
);
is_so('no key is left', all_keys($server->client()) === [], all_keys($server->client()));
?>
--EXPECT--
old had the lock many times: yes
old never lost it: yes
ours had the lock many times: yes
ours never lost it: yes
never two at once: yes
no key is left: yes
