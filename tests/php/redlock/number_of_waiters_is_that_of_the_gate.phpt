--TEST--
Several servers: the exception of a wait in vain tells how many wait on, at the server where they stand in line
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

ini_set('redislock.node_timeout', '0.9'); // on a busy machine, who is slow is not silent
$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$dsns = array_map(fn ($server) => $server->dsn(), $servers);
$holder = new RedisLock($dsns);
$holder->lock('x', 0, 60);
$waiters = [];
foreach ([1, 2] as $count) {
    $waiters[] = Worker::start('(new RedisLock(array_slice($argv, 1)))->lock("x", 60);', $dsns);
    wait_until(fn () => $holder->waiters('x') === $count);
}
// A node that is slow may not have told in time how many wait, and a waiter that is slow is not counted: then it is asked again.
for ($tries = 1; ; $tries++) {
    wait_until(fn () => $holder->waiters('x') === 2);
    $before = held_up();
    ob_start();
    thrown(fn () => (new RedisLock($dsns))->synchronized('x', fn () => print("RUNS\n"), 2.0));
    $told = ob_get_clean();
    if ($tries === 5 || str_contains($told, '2 are waiting') || held_up() - $before < 0.01) {
        break;
    }
}
echo $told;
?>
--EXPECTF--
RedisLockTimeoutException: unix://%s: not acquired within 2 s; 2 are waiting (lock "x")
