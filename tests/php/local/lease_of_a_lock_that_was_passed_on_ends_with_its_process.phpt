--TEST--
The renewed lease of a lock that was passed on ends when its holder is killed, and the next worker goes on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../renew/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(3, ['renew' => true]);
[$holder, $heir, $next] = $workers;
$holder->call('lock', 'x', 0.0, lease(0.6));
$machine->lineUpFor([$heir, $next], 'lock', 'x', PATIENCE, lease(0.6));
$holder->call('unlock', 'x');
var_dump($heir->answer()['result']);
usleep((int) (1e6 * lease(1.0)));
$token = $redis->cmd('GET', 'lock:x');
$heir->worker->kill();
$killed = now();
$answer = $next->answer();
var_dump($answer['result']);
is_safe('with a token of its own', $redis->cmd('GET', 'lock:x') !== $token);
took_between('seconds until the next one has it', $answer['ended'] - $killed, 0.0, lease(0.6) + 0.5);
var_dump($next->call('unlock', 'x'));
?>
--EXPECT--
bool(true)
bool(true)
with a token of its own: yes
seconds until the next one has it: yes
bool(true)
