--TEST--
After a release a waiter has the lock in two round trips: the answer to its BLPOP, and the claim
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);
$holder = new RedisLock($server->dsn());
$waiter = Remote::start($wire->dsn());

for ($round = 1; $round <= 3; $round++) {
    $holder->lock('x');
    $waiter->begin('lock', 'x', 10.0);
    await_blocked($redis, 1);
    usleep(40000); // the next look is 160 ms away
    $wire->forget();
    $holder->unlock('x');
    var_dump($waiter->answer()['result']);
    foreach ($wire->events() as [, , $what, $args]) {
        echo $what, ' ', $what === 'request' ? $args[0] : '', "\n";
    }
    $waiter->call('unlock', 'x');
}
?>
--EXPECT--
bool(true)
reply 
request EVALSHA
reply 
bool(true)
reply 
request EVALSHA
reply 
bool(true)
reply 
request EVALSHA
reply 
