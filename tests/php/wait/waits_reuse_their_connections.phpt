--TEST--
Waits of one process after each other, of several objects, use two connections, no more
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
$holder = new RedisLock($server->dsn());
$wire = new Wire($server);
$waiter = Remote::start($wire->dsn());

for ($round = 1; $round <= 6; $round++) {
    $holder->lock("x$round");
    $waiter->begin('turn', "x$round", 10.0);
    await_blocked($redis, 1);
    usleep(250000); // a look or two
    $holder->unlock("x$round");
    var_dump($waiter->answer()['result']['released']);
    $holder->lock("x$round");
    var_dump($waiter->call('lock', "x$round", 0.25));
    $holder->unlock("x$round");
}
// A connection whose answer is late is not used meanwhile: on a busy machine there may be another. One for each wait is 12.
$more = min(4, (int) (100 * held_up()));
is_between('connections', $wire->connections(), 1, 2 + $more);
is_so('with looks among what was sent', count(array_filter($wire->requests(), fn ($command) => $command !== 'BLPOP')) > 24);

// Several objects of one process share them.
$lock = new RedisLock($server->dsn());
$before = server_info($redis)['total_connections_received'];
$holder->lock('x');
for ($i = 0; $i < 5; $i++) {
    (new RedisLock($server->dsn()))->lock('x', 0.25);
}
is_between('connections of five objects that wait', server_info($redis)['total_connections_received'] - $before, 0, 2 + min(2, $more)); // 5 if each had its own
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
bool(false)
connections: yes
with looks among what was sent: yes
connections of five objects that wait: yes
