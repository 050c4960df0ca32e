--TEST--
Row B's class and ours on one key, 8 processes each for 4 s: never two at once
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
    'require ' . var_export(__DIR__ . '/old_token_lock.inc', true) . ';
    $lock = new OldTokenLock(new RawClient($argv[1]));
    $take = fn ($lock) => $lock->lock("account:1", 20);
    $give = fn ($lock, $id) => $lock->unlock("account:1", $id);',
    '$lock = new RedisLock($argv[4], ["prefix" => "TEST_LOCK", "timeout" => 5, "auto_release" => false]);
    $timeout = end($argv) % 2 ? 20 : 0;
    $take = fn ($lock) => $lock->lock("account:1", $timeout) ? $lock->token("account:1") : false;
    $give = fn ($lock, $id) => $lock->unlock("account:1", $id);',
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
