--TEST--
Row A's class and ours on one key, 8 processes each for 4 s: never two at once
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
    'require ' . var_export(__DIR__ . '/old_request_id_lock.inc', true) . ';
    $lock = new OldRequestIdLock(new RawClient($argv[1]));
    $policy = end($argv) % 2 ? OldRequestIdLock::BLOCKED : 0;
    $take = fn ($lock) => $lock->lock("SKU0001", $policy);
    $give = fn ($lock) => $lock->unlock("SKU0001");',
    '$lock = new RedisLock($argv[4], ["prefix" => "", "auto_release" => false]);
    $timeout = end($argv) % 2 ? 10 : 0;
    $take = fn ($lock) => $lock->lock("SKU0001", $timeout);
    $give = fn ($lock) => $lock->unlock("SKU0001");',
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
