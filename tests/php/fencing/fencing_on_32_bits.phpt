--TEST--
The option fencing is an error where an int cannot hold a fencing token, on a 32-bit PHP, and on no other
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
$expected = PHP_INT_SIZE < 8
    ? 'ValueError: RedisLock::__construct(): Argument #2 ($options) option "fencing" must be false on a 32-bit PHP, whose int cannot hold a fencing token'
    : '9007199254740990';
$redis->cmd('SET', '{lock:x}:rl:fence', '9007199254740989'); // fences end at 2 to the 53rd
foreach ([true, '1'] as $on) {
    $found = outcome(function () use ($server, $on) {
        $lock = new RedisLock($server->dsn(), ['fencing' => $on]);
        $lock->lock('x');
        return $lock->fence('x');
    });
    is_so('as expected', $found === $expected || $found === '9007199254740991', $found);
}
foreach ([false, '0'] as $off) {
    $lock = new RedisLock($server->dsn(), ['fencing' => $off]);
    var_dump($lock->lock('x'), $lock->unlock('x'));
}
?>
--EXPECT--
as expected: yes
as expected: yes
bool(true)
bool(true)
bool(true)
bool(true)
