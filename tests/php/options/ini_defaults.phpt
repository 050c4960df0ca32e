--TEST--
What php.ini says is what an object without options does
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--INI--
redislock.prefix=ini:
redislock.expire=7
redislock.timeout=0.2
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
ini_set('redislock.servers', $server->dsn());
$lock = new RedisLock();

var_dump($lock->lock('x'));
print_r(all_keys($redis));
is_between('TTL', $redis->cmd('PTTL', 'ini:x'), 3000, 7000);
foreign_lock($redis, 'ini:y', 'theirs');
took_between('seconds', seconds(fn () => $lock->lock('y')), 0.1, 0.5);

$lock = new RedisLock(null, ['prefix' => 'option:', 'expire' => 50, 'timeout' => 0]);
$lock->lock('x');
is_between('an option goes over it', $redis->cmd('PTTL', 'option:x'), 40000, 50000);
?>
--EXPECT--
bool(true)
Array
(
    [0] => ini:x
)
TTL: yes
seconds: yes
an option goes over it: yes
