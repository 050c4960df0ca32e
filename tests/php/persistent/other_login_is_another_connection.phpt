--TEST--
A connection never serves another user, password or database
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start(['user alice on >a ~* &* +@all', 'user bob on >b ~* &* +@all']);
$wire = new Wire($server);
$dsn = $wire->dsn();
$logins = [
    [[], $dsn], [[], $wire->dsn(1)], [['username' => 'alice', 'password' => 'a'], $dsn],
    [['username' => 'bob', 'password' => 'b'], $dsn], [['username' => 'bob', 'password' => 'b'], $wire->dsn(1)],
];
foreach ($logins as [$options, $server_dsn]) {
    for ($i = 0; $i < 2; $i++) {
        $lock = new RedisLock($server_dsn, $options);
        $lock->owner('x');
    }
}
var_dump($wire->connections());
$lock = new RedisLock($dsn, ['username' => 'alice', 'password' => 'wrong']);
try {
    $lock->owner('x');
    echo "nothing thrown\n";
} catch (RedisLockConnectionException $e) {
    echo get_class($e), "\n";
}
?>
--EXPECT--
int(5)
RedisLockConnectionException
