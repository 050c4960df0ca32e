--TEST--
A reply of the wrong type is an exception in every method, never a value
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$calls = [
    'unlock' => fn ($lock) => $lock->unlock('held'),
    'expire' => fn ($lock) => $lock->expire('held', 5),
    'isLocking' => fn ($lock) => $lock->isLocking('held'),
    'owner' => fn ($lock) => $lock->owner('held'),
    'waiters' => fn ($lock) => $lock->waiters('held'),
    'forceUnlock' => fn ($lock) => $lock->forceUnlock('held'),
    'attach' => fn ($lock) => $lock->attach('held', 'token'),
    'unlockAll' => fn ($lock) => $lock->unlockAll(),
];
foreach ($calls as $method => $call) {
    echo "$method\n";
    foreach (["+OK\r\n", "$2\r\nhi\r\n", "*3\r\n+a\r\n+b\r\n+c\r\n", ":-9\r\n", "*0\r\n"] as $reply) {
        $lock = new RedisLock($wire->dsn());
        $lock->lock('held') || print("not held\n");
        $wire->answer($reply, 'EVALSHA');
        $outcome = outcome(fn () => $call($lock));
        if ($outcome !== 'RedisLockConnectionException') {
            echo '  ', json_encode($reply), ": $outcome\n";
        }
        $wire->heal();
        $server->client()->cmd('DEL', 'lock:held');
        $lock->unlock('held');
    }
}
?>
--EXPECT--
unlock
expire
isLocking
owner
waiters
forceUnlock
attach
unlockAll
