--TEST--
lost() is true from the end of the lease, or Redis' refusal, until the lock is given up or taken anew; without a request
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
$is_lost = function (string $when) use ($lock, $redis) {
    $before = request_calls($redis);
    $lost = $lock->lost('x');
    echo "$when: ", json_encode($lost), request_calls($redis) > $before ? ', which it asked for' : '', "\n";
};

$is_lost('never taken');
$lock->lock('x', expire: 1.0);
$is_lost('held');
usleep(1_010_000);
$is_lost('after its lease');
$lock->lock('x');
$is_lost('taken anew');
$redis->cmd('DEL', 'lock:x');
$is_lost('taken away, which nobody knows yet');
$lock->isLocking('x');
$is_lost('taken away');
var_dump($lock->unlock('x'));
$is_lost('given up');
$lock->lock('x', expire: INF);
$is_lost('held without end');
try {
    $lock->lost('');
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
?>
--EXPECT--
never taken: false
held: false
after its lease: true
taken anew: false
taken away, which nobody knows yet: false
taken away: true
bool(false)
given up: false
held without end: false
RedisLock::lost(): Argument #1 ($name) must not be empty
