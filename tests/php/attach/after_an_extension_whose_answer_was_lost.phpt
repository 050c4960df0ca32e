--TEST--
attach() after an extension whose answer was lost: what it believes stands, whichever object asks and whenever that arrives
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn(), ['read_timeout' => slow(0.2), 'connect_timeout' => slow(0.2)]);
$lock->lock('x', expire: 600);
$token = $lock->token('x');
$wire->answer("+OK\r\n"); // of nobody: the request stays on its way
thrown(fn () => $lock->expire('x', 0.05));
is_so('it believes the shorter lease', wait_until(fn () => $lock->remaining('x') === 0.0));
var_dump($lock->attach('x', $token));
is_between('what it has then', $lock->remaining('x'), 400, 600);
$other = new RedisLock($server->dsn());
var_dump($other->attach('x', $token));
is_between('and another object', $other->remaining('x'), 400, 600);

// What was lost arrives now: it was asked for before.
[$source, $at] = explode(' ', (string) $redis->cmd('GET', '{lock:x}:rl:note')) + ['', 0];
$extend = file_get_contents(__DIR__ . '/../../../lua/extend.lua');
$extend = preg_replace_callback('/^--@include (.*)$/m', fn ($m) => file_get_contents(__DIR__ . "/../../../lua/$m[1]"), $extend);
var_dump($redis->cmd('EVAL', $extend, 4, 'lock:x', '{lock:x}:rl:baton', '{lock:x}:rl:wait', '{lock:x}:rl:note', $token, 50, $source, $at - 1, 0));
var_dump($lock->attach('x', 'another'), $lock->unlock('x'), all_keys($redis));
?>
--EXPECTF--
RedisLockConnectionException: %s
it believes the shorter lease: yes
bool(true)
what it has then: yes
bool(true)
and another object: yes
int(0)
bool(false)
bool(true)
array(0) {
}
