--TEST--
lockAll() that fails half way, by its rights or by a key of another type, leaves nothing locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(['user narrow on >secret ~lock:a* ~{lock:a* +@all', 'user timeless on >secret ~* +@all -time']);
$redis = $server->client();
$redis->cmd('HSET', '{lock:b}:rl:fence', 'field', 'foreign');
$redis->cmd('SET', '{lock:c}:rl:wait', 'foreign');
$as = fn (string $user) => ['username' => $user, 'password' => 'secret', 'fencing' => true];
foreach ([0.0, 0.3] as $timeout) {
    echo 'a fence: ', outcome(fn () => (new RedisLock($server->dsn(), ['fencing' => true]))->lockAll(['a', 'b'], $timeout)), "\n";
    $lock = new RedisLock($server->dsn());
    echo 'the queue: ', outcome(fn () => $lock->lockAll(['a', 'c'], $timeout)), ', released: ', outcome(fn () => $lock->unlockAll()), "\n";
    $lock->detach('c');
    echo 'no right to a key: ', outcome(fn () => (new RedisLock($server->address(), $as('narrow')))->lockAll(['a', 'x'], $timeout)), "\n";
    echo 'no right to a command: ', outcome(fn () => (new RedisLock($server->address(), $as('timeless')))->lockAll(['a', 'x'], $timeout)), "\n";
    is_so('nothing is locked', array_filter(all_keys($redis), fn ($key) => !str_contains($key, ':rl:')) === [], all_keys($redis));
}
?>
--EXPECT--
a fence: RedisLockServerException WRONGTYPE
the queue: true, released: RedisLockServerException WRONGTYPE
no right to a key: RedisLockServerException NOPERM
no right to a command: RedisLockServerException NOPERM
nothing is locked: yes
a fence: RedisLockServerException WRONGTYPE
the queue: RedisLockServerException WRONGTYPE, released: true
no right to a key: RedisLockServerException NOPERM
no right to a command: RedisLockServerException NOPERM
nothing is locked: yes
