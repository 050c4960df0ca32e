--TEST--
Tokens are any bytes: NUL, CRLF, spaces, long ones
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$tokens = [
    'nul' => "a\0b", 'crlf' => "a\r\nb", 'space' => ' a b ', 'format' => '%s%n%b', 'zero' => '0',
    'all bytes' => implode(array_map('chr', range(0, 255))), 'long' => str_repeat('t', 10000), 'number' => '12e3',
];
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());
foreach ($tokens as $label => $token) {
    $good = $lock->lock('x', token: $token)
        && $redis->cmd('GET', 'lock:x') === $token
        && $lock->token('x') === $token
        && $other->owner('x') === $token
        && !$other->unlock('x', $token . ' ')
        && $other->expire('x', 50, $token)
        && $other->attach('x', $token)
        && $other->detach('x') === $token
        && $other->unlock('x', $token)
        && !$lock->unlock('x')
        && all_keys($redis) === [];
    echo "$label: ", $good ? 'good' : 'BAD', "\n";
}
?>
--EXPECT--
nul: good
crlf: good
space: good
format: good
zero: good
all bytes: good
long: good
number: good
