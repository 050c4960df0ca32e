--TEST--
The locks of a fork tell its own pid
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/fork.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());

function tells_of(RedisLock $lock, string $name, int $pid): bool
{
    $owner = $lock->holder($name)['owner'];
    return str_contains("$owner ", ":$pid ");
}

$lock->lock('parent');
is_so('parent', tells_of($lock, 'parent', getmypid()));
in_a_fork(function () use ($lock) {
    $lock->lock('child');
    is_so('child', tells_of($lock, 'child', getmypid()), $lock->holder('child'));
    is_so('parent, asked by the child', tells_of($lock, 'parent', posix_getppid()));
});
$lock->lock('later');
is_so('parent later', tells_of($lock, 'later', getmypid()));
?>
--EXPECT--
parent: yes
child: yes
parent, asked by the child: yes
parent later: yes
