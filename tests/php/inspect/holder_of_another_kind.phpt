--TEST--
holder() tells nothing of a token that has no description of ours, or a harmful one, and no baton is a holder
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

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$digits = str_repeat('0123456789abcdef', 2);

(new RedisLock($server->dsn(), ['owner' => '', 'auto_release' => false]))->lock('x');
$tokens = [$lock->owner('x'), "the\0irs", '', "rl:$digits:r0192f0c1a2b:evil\e[2J", "rl:$digits:r0192f0c1a2b:\xff",
    "rl:$digits:r0192f0c1a2b:" . str_repeat('x', 51), "rl:$digits:r:x", "$digits:r0192f0c1a2b:web"];
foreach ($tokens as $token) {
    $redis->cmd('SET', 'lock:x', $token, 'PX', 60000);
    $holder = $lock->holder('x');
    echo json_encode(array_diff_key($holder, ['lease' => 0])), ' ', $holder['lease'] > 50 ? 'lasts' : 'ends', "\n";
}
$redis->cmd('SET', 'lock:x', "rl:build:$digits:r0192f0c1a2b:Zürich:7 🔒");
$holder = $lock->holder('x');
var_dump($holder['owner'], $holder['since'], $holder['renewed'], $holder['lease']);
$redis->cmd('SET', 'lock:x', "rl:baton:$digits");
var_dump($lock->holder('x'));
$redis->cmd('DEL', 'lock:x');
$redis->cmd('RPUSH', 'lock:x', 'no lock');
thrown(fn () => $lock->holder('x'));
thrown(fn () => $lock->holder(''));
?>
--EXPECTF--
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
{"owner":null,"since":null,"renewed":null,"waiters":0} lasts
string(14) "Zürich:7 🔒"
float(%f)
bool(true)
float(INF)
NULL
RedisLockServerException: %s: WRONGTYPE Operation against a key holding the wrong kind of value (lock "x")
ValueError: RedisLock::holder(): Argument #1 ($name) must not be empty
