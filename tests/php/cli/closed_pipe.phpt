--TEST--
redislock: whoever reads it may have seen enough, as `| head` does: it ends in silence, with the status of what it did
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
for ($i = 0; $i < 1500; $i++) {
    $lock->lock("SKU$i", expire: 3600); // more than a pipe holds
}

/** Closes its output after the first line; the status is behind a pipe of its own. */
function first_line(RedisServer $server, string ...$args): void
{
    $command = [...php_command(), dirname(__DIR__, 3) . '/bin/redislock', '--server=env:REDISLOCK_SERVER', ...$args];
    $child = new Child($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], ['REDISLOCK_SERVER' => $server->dsn()]);
    echo trim(preg_replace('/ {2,}/', '  ', fgets($child->pipes[1]))), "\n";
    fclose($child->pipes[1]);
    is_so('it ends', $child->wait(slow(30.0)));
    echo stream_get_contents($child->pipes[2]), "=> {$child->exitCode()}\n";
}

first_line($server, 'ls');
first_line($server, 'ls', '--json');
first_line($server, 'watch', '--json', '--interval=0.05', 'no such*');
?>
--EXPECTF--
NAME  OWNER  AGE  LEASE  RENEWED  WAITERS
it ends: yes
=> 0
[
it ends: yes
=> 0
{"time":%s}
it ends: yes
=> 0
