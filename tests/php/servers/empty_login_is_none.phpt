--TEST--
An empty user, password or database is none, wherever it is written, as an .env file with REDIS_PASSWORD= gives it
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

$server = RedisServer::start(tcp: true);
$at = '127.0.0.1:' . $server->port();
putenv("REDISLOCK_TEST_EMPTY=redis://:@$at");

$none = ['username' => '', 'password' => '', 'database' => ''];
$ways = [
    'option password' => fn () => new RedisLock("redis://$at", ['password' => '']),
    'option username' => fn () => new RedisLock("redis://$at", ['username' => '']),
    'all three' => fn () => new RedisLock("redis://$at", $none),
    'URL' => fn () => new RedisLock("redis://:@$at"),
    'URL and options' => fn () => new RedisLock("redis://:@$at", $none),
    'environment' => fn () => new RedisLock('env:REDISLOCK_TEST_EMPTY', $none),
    'INI' => function () use ($at, $none) {
        ini_set('redislock.servers', "redis://:@$at");
        return new RedisLock(null, $none);
    },
    'INI and environment' => function () use ($none) {
        ini_set('redislock.servers', 'env:REDISLOCK_TEST_EMPTY');
        return new RedisLock(null, $none);
    },
];
foreach ($ways as $way => $make) {
    echo "$way: ", var_export($make()->lock($way), true), "\n";
}
echo 'queue: ', var_export((new RedisQueue("redis://$at", $none))->enqueue('x', 1), true), "\n";
// Nobody has logged in, also not over a connection that was kept.
$login = array_filter(explode("\r\n", $server->client()->cmd('INFO', 'commandstats')), fn ($line) => preg_match('/^cmdstat_(auth|hello):/', $line));
var_dump($login);

// The empty one gives way to what is not empty.
$server = RedisServer::start(tcp: true, password: 'secret');
foreach (['password', 'username'] as $option) {
    var_dump((new RedisLock($server->tcpDsn(':secret'), [$option => '']))->isLocking('x'));
}
// A user without a password cannot log in.
thrown(fn () => new RedisLock("redis://$at", ['username' => 'shop', 'password' => '']));
?>
--EXPECT--
option password: true
option username: true
all three: true
URL: true
URL and options: true
environment: true
INI: true
INI and environment: true
queue: true
array(0) {
}
bool(false)
bool(false)
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: a user needs a password: user:password@, or the option "password"
