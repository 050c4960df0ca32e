--TEST--
A connection is shared only by objects of the same endpoint, user, password and database
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/connections.inc';

$server = RedisServer::start(['user alice on >secret1 >secret2 ~* &* +@all', 'user bob on >secret1 ~* &* +@all', 'user default on >secret1 >secret2 ~* &* +@all'], tcp: true);
$redis = $server->client();
$redis->cmd('AUTH', 'secret1');
$socket = $server->dsn();
$port = $server->port();
$places = [
    'alice' => ["redis://alice:secret1@127.0.0.1:$port", 'alice 0'],
    'another password' => ["redis://alice:secret2@127.0.0.1:$port", 'alice 0'],
    'bob, with the same password' => ["redis://bob:secret1@127.0.0.1:$port", 'bob 0'],
    'the default user' => ["redis://:secret1@127.0.0.1:$port", 'default 0'],
    'the default user, another password' => ["redis://:secret2@127.0.0.1:$port", 'default 0'],
    'another database' => ["redis://alice:secret1@127.0.0.1:$port/1", 'alice 1'],
    'yet another database' => ["redis://alice:secret1@127.0.0.1:$port/2", 'alice 2'],
    'another address' => ["redis://alice:secret1@127.0.0.2:$port", null],
    'the socket' => [$socket, 'alice 0', ['username' => 'alice', 'password' => 'secret1']],
];
$opened = [];
foreach ($places as $place => $args) {
    if ($args[1] === null) {
        // Nobody listens there: a connection to the same port of another address must not do.
        thrown(fn () => (new RedisLock($args[0]))->owner('x'));
        continue;
    }
    $before = clients($redis);
    (new RedisLock($args[0], $args[2] ?? []))->owner('x');
    $new = array_diff_key(clients($redis), $before);
    echo "$place: ", implode(', ', array_map(fn ($client) => "$client[user] $client[db]", $new)), ' ', implode(array_map(fn ($client) => "$client[user] $client[db]" === $args[1] ? '' : 'WRONG', $new)), "\n";
}
$before = clients($redis);
foreach ($places as $args) {
    if ($args[1] !== null) {
        (new RedisLock($args[0], $args[2] ?? []))->owner('x');
    }
}
// The same said in other words.
(new RedisLock("tcp://alice:secret1@127.0.0.1:$port/0"))->owner('x');
(new RedisLock("redis://127.0.0.1:$port", ['username' => 'alice', 'password' => 'secret1', 'database' => 1]))->owner('x');
putenv("REDISLOCK_TEST_DSN=redis://alice:secret1@127.0.0.1:$port/2");
(new RedisLock('env:REDISLOCK_TEST_DSN'))->owner('x');
is_so('once more: nothing new', array_keys(clients($redis)) === array_keys($before), array_diff_key(clients($redis), $before));
?>
--EXPECTREGEX--
alice: alice 0 
another password: alice 0 
bob, with the same password: bob 0 
the default user: default 0 
the default user, another password: default 0 
another database: alice 1 
yet another database: alice 2 
RedisLockConnectionException: redis:\/\/127\.0\.0\.2:\d+.*: Connection refused .*
the socket: alice 0 
once more: nothing new: yes
