--TEST--
A connection that the server closed while it was idle is replaced, and no call sees an error
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

require __DIR__ . '/calls.inc';

$server = RedisServer::start();
$redis = $server->client();
foreach ([true, false] as $persistent) {
    foreach ($calls as $call => [$act, $expected]) {
        $redis->cmd('FLUSHALL');
        $lock = new RedisLock($server->dsn(), ['persistent' => $persistent]);
        $lock->lock('mine');
        foreign_lock($redis, 'lock:foreign', 'token');
        $killed = kill_clients($redis);
        try {
            $answer = $act($lock);
            is_so($call, $answer === $expected && $killed >= 1, [$answer, $killed]);
        } catch (Throwable $e) {
            echo "$call: $e\n";
        }
        unset($lock);
    }
}
?>
--EXPECT--
lock: yes
lock that waits: yes
unlock: yes
expire: yes
isLocking: yes
synchronized: yes
owner: yes
waiters: yes
forceUnlock: yes
attach: yes
unlockAll: yes
lock: yes
lock that waits: yes
unlock: yes
expire: yes
isLocking: yes
synchronized: yes
owner: yes
waiters: yes
forceUnlock: yes
attach: yes
unlockAll: yes
