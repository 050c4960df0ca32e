--TEST--
A key of another type under the lock's name counts as held by somebody, and is left alone
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

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['retry_interval' => 0.02]);
$make = [
    'list' => fn () => $redis->cmd('RPUSH', 'lock:x', 'data'),
    'hash' => fn () => $redis->cmd('HSET', 'lock:x', 'field', 'data'),
    'set' => fn () => $redis->cmd('SADD', 'lock:x', 'data'),
    'zset' => fn () => $redis->cmd('ZADD', 'lock:x', 1, 'data'), // Symfony's own store keeps this
    'stream' => fn () => $redis->cmd('XADD', 'lock:x', '*', 'field', 'data'),
];
foreach ($make as $type => $create) {
    $redis->cmd('DEL', 'lock:x');
    $create();
    $before = $redis->cmd('DUMP', 'lock:x');
    echo "$type:\n";
    echo '  lock: ', outcome(fn () => $lock->lock('x')), "\n";
    echo '  lock, waiting: ', outcome(fn () => $lock->lock('x', timeout: 0.05)), "\n";
    echo '  unlock: ', outcome(fn () => $lock->unlock('x', 'token')), "\n";
    echo '  expire: ', outcome(fn () => $lock->expire('x', 5, 'token')), "\n";
    echo '  attach: ', outcome(fn () => $lock->attach('x', 'token')), "\n";
    echo '  isLocking: ', outcome(fn () => $lock->isLocking('x')), "\n";
    echo '  waiters: ', outcome(fn () => $lock->waiters('x')), "\n";
    echo '  owner: ', outcome(fn () => $lock->owner('x')), "\n";
    echo '  forceUnlock: ', outcome(fn () => $lock->forceUnlock('x')), "\n";
    is_so('  left alone', $redis->cmd('DUMP', 'lock:x') === $before && all_keys($redis) === ['lock:x'], all_keys($redis));
}
?>
--EXPECT--
list:
  lock: false
  lock, waiting: false
  unlock: false
  expire: false
  attach: false
  isLocking: false
  waiters: 0
  owner: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  left alone: yes
hash:
  lock: false
  lock, waiting: false
  unlock: false
  expire: false
  attach: false
  isLocking: false
  waiters: 0
  owner: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  left alone: yes
set:
  lock: false
  lock, waiting: false
  unlock: false
  expire: false
  attach: false
  isLocking: false
  waiters: 0
  owner: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  left alone: yes
zset:
  lock: false
  lock, waiting: false
  unlock: false
  expire: false
  attach: false
  isLocking: false
  waiters: 0
  owner: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  left alone: yes
stream:
  lock: false
  lock, waiting: false
  unlock: false
  expire: false
  attach: false
  isLocking: false
  waiters: 0
  owner: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  left alone: yes
