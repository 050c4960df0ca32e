--TEST--
However the request ends, its lock is gone within milliseconds, and a waiter has it
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
$waiter = new RedisLock($server->dsn());
foreach (ENDS as $way => $code) {
    if ($way === 'max_execution_time') {
        continue; // when it strikes is the engine's to say
    }
    $took = [];
    for ($i = 0; $i < 3; $i++) {
        $end = new RequestEnd($server->dsn(), $code);
        $end->worker->tell('end');
        $end->worker->readLine(); // it has begun to end
        $took[] = seconds(function () use ($waiter) {
            if (!$waiter->lock('x', 5.0)) {
                echo "NOT HAD\n";
            }
        });
        $waiter->unlock('x');
        $end->worker->wait();
    }
    ms_between("$way, median of ms", 1000 * median($took), 0, 50, count($took));
}
?>
--EXPECT--
end of the script, median of ms: yes
exit, median of ms: yes
uncaught exception, median of ms: yes
fatal error, median of ms: yes
compile error, median of ms: yes
memory_limit, median of ms: yes
error in a shutdown function, median of ms: yes
exit in a destructor, median of ms: yes
