--TEST--
A connection that breaks under a call, before the server saw it or behind it: the call is repeated, and no call sees an error
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
foreach (['loseRequest', 'loseReply'] as $fault) {
    foreach ($calls as $call => [$act, $expected]) {
        if ($call === 'forceUnlock') {
            continue; // after a lost reply it cannot be known what it did
        }
        $redis->cmd('FLUSHALL');
        $wire = new Wire($server);
        $lock = new RedisLock($wire->dsn());
        $lock->lock('mine');
        foreign_lock($redis, 'lock:foreign', 'token');
        $wire->forget();
        $wire->$fault();
        try {
            $answer = $act($lock);
            is_so("$fault, $call", $answer === $expected && $wire->connections() === 1, [$answer, $wire->connections()]);
        } catch (Throwable $e) {
            echo "$fault, $call: $e\n";
        }
        unset($lock);
    }
}
?>
--EXPECT--
loseRequest, lock: yes
loseRequest, lock that waits: yes
loseRequest, unlock: yes
loseRequest, expire: yes
loseRequest, isLocking: yes
loseRequest, synchronized: yes
loseRequest, owner: yes
loseRequest, waiters: yes
loseRequest, attach: yes
loseRequest, unlockAll: yes
loseReply, lock: yes
loseReply, lock that waits: yes
loseReply, unlock: yes
loseReply, expire: yes
loseReply, isLocking: yes
loseReply, synchronized: yes
loseReply, owner: yes
loseReply, waiters: yes
loseReply, attach: yes
loseReply, unlockAll: yes
