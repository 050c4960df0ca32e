--TEST--
auto_release => false: the lock outlives the object and every end of the request, until its lease ends
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ends.inc';

$server = RedisServer::start();
$redis = $server->client();
$take = fn (float $lease) => '$gone = new RedisLock($argv[1], unserialize($argv[2])); $gone->lock("y", 0.0, ' . $lease . '); unset($gone); $lock->lock("x", 0.0, ' . $lease . ');';
foreach (ENDS as $way => $last) {
    $end = new RequestEnd($server->dsn(), $last, ['auto_release' => false], $take(30));
    $end->come();
    echo "$way: ", json_encode(all_keys($redis)), "\n";
    $redis->cmd('FLUSHALL');
}
$end = new RequestEnd($server->dsn(), '', ['auto_release' => false], $take(1));
$end->come();
is_so('gone when the lease is over', wait_until(fn () => all_keys($redis) === [], 1.5));
?>
--EXPECT--
end of the script: ["lock:x","lock:y"]
exit: ["lock:x","lock:y"]
uncaught exception: ["lock:x","lock:y"]
fatal error: ["lock:x","lock:y"]
compile error: ["lock:x","lock:y"]
memory_limit: ["lock:x","lock:y"]
max_execution_time: ["lock:x","lock:y"]
error in a shutdown function: ["lock:x","lock:y"]
exit in a destructor: ["lock:x","lock:y"]
gone when the lease is over: yes
