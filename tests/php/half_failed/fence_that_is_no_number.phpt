--TEST--
A foreign value in {K}:rl:fence that is no number: an exception, and nothing of ours stays locked
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
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
foreach (['not a number', '', '9223372036854775807', '1e400', '-5'] as $value) {
    $redis->cmd('SET', '{lock:x}:rl:fence', $value);
    $outcome = outcome(fn () => $lock->lock('x'));
    // Either it is refused and nothing is locked, or it is had with a fence that is larger than the stored number.
    $good = $outcome === 'true' ? $lock->fence('x') > (int) $value : $redis->cmd('EXISTS', 'lock:x') === 0 && str_contains($outcome, 'Exception');
    is_so(json_encode($value), $good, $outcome);
    $lock->unlock('x');
}
?>
--EXPECT--
"not a number": yes
"": yes
"9223372036854775807": yes
"1e400": yes
"-5": yes
