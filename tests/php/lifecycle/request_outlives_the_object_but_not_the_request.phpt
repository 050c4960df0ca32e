--TEST--
auto_release => 'request': the lock outlives its object, by whatever way that went, but no end of the request
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
$take = [
    'never assigned' => '(new RedisLock($argv[1], unserialize($argv[2])))->lock("y");',
    'unset' => '$gone = new RedisLock($argv[1], unserialize($argv[2])); $gone->lock("y"); unset($gone);',
    'in a cycle' => '$cycle = new stdClass; $cycle->own = $cycle; $cycle->lock = new RedisLock($argv[1], unserialize($argv[2])); $cycle->lock->lock("y"); unset($cycle); gc_collect_cycles();',
];
foreach ($take as $how => $code) {
    foreach (ENDS as $way => $last) {
        $end = new RequestEnd($server->dsn(), $last, ['auto_release' => 'request'], $code . '$lock->lock("x");');
        $held = json_encode(all_keys($redis));
        $end->come();
        echo "$how, $way: $held, then ", json_encode(all_keys($redis)), "\n";
    }
}
?>
--EXPECT--
never assigned, end of the script: ["lock:x","lock:y"], then []
never assigned, exit: ["lock:x","lock:y"], then []
never assigned, uncaught exception: ["lock:x","lock:y"], then []
never assigned, fatal error: ["lock:x","lock:y"], then []
never assigned, compile error: ["lock:x","lock:y"], then []
never assigned, memory_limit: ["lock:x","lock:y"], then []
never assigned, max_execution_time: ["lock:x","lock:y"], then []
never assigned, error in a shutdown function: ["lock:x","lock:y"], then []
never assigned, exit in a destructor: ["lock:x","lock:y"], then []
unset, end of the script: ["lock:x","lock:y"], then []
unset, exit: ["lock:x","lock:y"], then []
unset, uncaught exception: ["lock:x","lock:y"], then []
unset, fatal error: ["lock:x","lock:y"], then []
unset, compile error: ["lock:x","lock:y"], then []
unset, memory_limit: ["lock:x","lock:y"], then []
unset, max_execution_time: ["lock:x","lock:y"], then []
unset, error in a shutdown function: ["lock:x","lock:y"], then []
unset, exit in a destructor: ["lock:x","lock:y"], then []
in a cycle, end of the script: ["lock:x","lock:y"], then []
in a cycle, exit: ["lock:x","lock:y"], then []
in a cycle, uncaught exception: ["lock:x","lock:y"], then []
in a cycle, fatal error: ["lock:x","lock:y"], then []
in a cycle, compile error: ["lock:x","lock:y"], then []
in a cycle, memory_limit: ["lock:x","lock:y"], then []
in a cycle, max_execution_time: ["lock:x","lock:y"], then []
in a cycle, error in a shutdown function: ["lock:x","lock:y"], then []
in a cycle, exit in a destructor: ["lock:x","lock:y"], then []
