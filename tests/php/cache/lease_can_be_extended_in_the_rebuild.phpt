--TEST--
remember(): the rebuild may extend its lease, and sees its lock as one that this object holds
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['expire' => 2.0, 'fencing' => true]);
var_dump($lock->remember('k', function () use ($lock) {
    is_between('remaining', $lock->remaining('k'), 1, 2);
    var_dump($lock->expire('k', 60));
    is_between('remaining', $lock->remaining('k'), 50, 60);
    is_so('fence', $lock->fence('k') > 0);
    is_so('owner', $lock->owner('k') === $lock->token('k') && str_starts_with($lock->token('k'), 'rl:'));
    return 'value';
}, 60));
var_dump($lock->held());
?>
--EXPECT--
remaining: yes
bool(true)
remaining: yes
fence: yes
owner: yes
string(5) "value"
array(0) {
}
