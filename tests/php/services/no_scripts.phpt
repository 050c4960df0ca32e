--TEST--
A server without scripts, as Oracle's sharded clusters and Garnet by default: the message says what is missing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/use.inc';
require __DIR__ . '/../cli/cli.inc';

echo "there is no such command\n";
$server = RedisServer::start(['rename-command EVALSHA ""', 'rename-command EVAL ""', 'rename-command SCRIPT ""']);
step('locks', fn () => (new RedisLock($server->dsn()))->lock('x'));
step('waits', fn () => (new RedisLock($server->dsn()))->lock('x', 1.0));
step('locks all', fn () => (new RedisLock($server->dsn()))->lockAll(['x', 'y']));
step('remembers', fn () => (new RedisLock($server->dsn()))->remember('value', fn () => 'built', 60) === 'built');
step('enqueues', fn () => (new RedisQueue($server->dsn()))->enqueue('q', 'one'));
$run = cli(['--server=env:REDISLOCK_SERVER', 'ping'], ['REDISLOCK_SERVER' => $server->dsn()]);
echo implode("\n", preg_grep('/^lock|^warning: it cannot/', explode("\n", $run->out))), "\n=> $run->status\n";
is_so('nothing is left', all_keys($server->client()) === []);

echo "they are turned off\n";
$server = RedisServer::start();
$wire = new Wire($server);
foreach (['EVAL', 'EVALSHA', 'SCRIPT'] as $command) {
    $wire->refuse($command, 'ERR This instance has Lua scripting support disabled');
}
step('locks', fn () => (new RedisLock($wire->dsn()))->lock('x'));
step('enqueues', fn () => (new RedisQueue($wire->dsn()))->enqueue('q', 'one'));
?>
--EXPECT--
there is no such command
locks: RedisLockServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL') (lock "x")
waits: RedisLockServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL') (lock "x")
locks all: RedisLockServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL')
remembers: RedisLockServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL') (lock "value")
enqueues: RedisQueueServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL') (queue "q")
lock, unlock  refused
warning: it cannot be locked on: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR unknown command 'EVAL'); see docs/troubleshooting.md
=> 3
nothing is left: yes
they are turned off
locks: RedisLockServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR This instance has Lua scripting support disabled) (lock "x")
enqueues: RedisQueueServerException: the server runs no Lua scripts, which this extension needs: EVAL is missing (ERR This instance has Lua scripting support disabled) (queue "q")
