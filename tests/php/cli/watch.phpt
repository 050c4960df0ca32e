--TEST--
redislock watch: ls again and again, also across a restart of the server
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
$lock->lock('SKU0001', expire: 3000);
show($server, 'watch', '--count=2', '--interval', '0.05');

$dsn = '--server=' . $server->dsn();
$program = new Child(
    [...php_command(), dirname(__DIR__, 3) . '/bin/redislock', $dsn, 'watch', '--json', '--interval=0.05', 'SKU*'],
    [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]],
);
$next = fn () => array_column(json_decode(fgets($program->pipes[1]), true, flags: JSON_THROW_ON_ERROR)['locks'], 'name');
echo json_encode($next()), "\n";
$lock->lock('SKU0002');
$lock->lock('other');
is_so('a new one comes', wait_until(fn () => $next() === ['SKU0001', 'SKU0002']));
$lock->unlock('SKU0001');
is_so('a released one goes', wait_until(fn () => $next() === ['SKU0002']));
$server->restart();
is_so('it comes back with the server', wait_until(fn () => $next() === []));
$program->signal('INT');
is_so('Ctrl-C ends it', $program->wait(10) && $program->exitCode() === 130, $program->exitCode());

echo "a server that was never there\n";
$run = cli(['--server=unix:///nonexistent/redis.sock', 'watch']);
echo "$run->out$run->err=> $run->status\n";
?>
--EXPECT--
HH:MM:SS  unix://… 1 held

NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:0000000000000000000000…  N s                 0

HH:MM:SS  unix://… 1 held

NAME     OWNER                       AGE   LEASE  RENEWED  WAITERS
SKU0001  rl:0000000000000000000000…  N s                 0

=> 0
["SKU0001"]
a new one comes: yes
a released one goes: yes
it comes back with the server: yes
Ctrl-C ends it: yes
a server that was never there
redislock: unix:///nonexistent/redis.sock: No such file or directory
=> 3
