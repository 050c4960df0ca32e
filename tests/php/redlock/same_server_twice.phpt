--TEST--
A server that is named twice would have two votes: it is refused, however it is written
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$server = RedisServer::start();
symlink($server->socket(), $link = $server->folder() . '/link');
foreach ([
    ['redis://a:1', 'redis://a:1'],
    ['redis://a', 'tcp://A:6379'],
    ['redis://a:1/0', 'rediss://user:secret@a:1/3'],
    ['redis://localhost:1', 'redis://127.0.0.1:1'],
    ['redis://[::1]:1', 'redis://[0:0:0:0:0:0:0:1]:1'],
    ['unix:///a', 'unix:///a?db=2'],
    [$server->dsn(), $server->dsn(socket: $link)],
    ['redis://a:1', 'redis://b:1', 'redis://c:1', 'redis://b:1'],
] as $servers) {
    thrown(fn () => new RedisLock($servers));
}
foreach ([['redis://a:1', 'redis://a:2'], ['redis://127.0.0.1', 'redis://127.0.0.2'], ['redis://a', 'unix:///a'], ['unix:///a', 'unix:///b']] as $servers) {
    new RedisLock($servers);
}
echo "These differ.\n";
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a list of different servers: the same server is named twice
These differ.
