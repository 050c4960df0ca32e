--TEST--
remember() repeats what was lost, in every step, and builds once
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
$wire = new Wire($server);
$redis = $server->client();
$lock = new RedisLock($wire->dsn());
$lock->remember('k', fn () => 'warm', 60);
foreach ([0.0, 5.0] as $timeout) {
    $lock->forget('k');
    $wire->loseReply('EVALSHA');
    $wire->loseReply('EVALSHA', 1);
    var_dump($lock->remember('k', fn () => print("builds\n"), 60, $timeout));
    $wire->heal();
    $wire->loseReply('EVALSHA');
    var_dump($lock->remember('k', fn () => print("BUILDS AGAIN\n"), 60, $timeout));
    echo implode(' ', all_keys($redis)), "\n";
}

// The connection of one that waits breaks.
$lock->forget('k');
$builder = building($server);
$waiter = Worker::start('echo (new RedisLock($argv[1]))->remember("k", fn () => "BUILDS TOO", 60, 20), "\n";', [$wire->dsn()]);
await_blocked($redis, 1);
$wire->cutAll();
await_blocked($redis, 1);
$builder->tell('value');
echo $builder->output(), $waiter->output();
?>
--EXPECT--
builds
int(1)
int(1)
{lock:k}:rl:value
builds
int(1)
int(1)
{lock:k}:rl:value
"value"
value
