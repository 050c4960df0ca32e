--TEST--
A lease is rounded up to whole milliseconds on the wire
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());

foreach ([[1.2341, '1235'], [0.01, '10'], [0.0100001, '11'], [7.0, '7000'], [2.3, '2300']] as [$seconds, $milliseconds]) {
    $wire->forget();
    try {
        $lock->lock("lease$seconds", expire: $seconds);
    } catch (RedisLockTimeoutException) {
        // On a busy machine 10 ms can be over before the answer is there. What was asked for is on the wire all the same, and
        // behind it what takes it back.
    }
    $args = array_merge(...$wire->requestArgs());
    echo $seconds, ' s: ', in_array($milliseconds, $args, true) ? "$milliseconds ms" : implode(' ', $args), "\n";
}
?>
--EXPECT--
1.2341 s: 1235 ms
0.01 s: 10 ms
0.0100001 s: 11 ms
7 s: 7000 ms
2.3 s: 2300 ms
