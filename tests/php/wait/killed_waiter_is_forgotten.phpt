--TEST--
Waiters that were killed are forgotten in a few seconds: the release then leaves the name free at once
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
$holder->lock('x');
$waiters = Remote::startMany(3, $server->dsn());
line_up($redis, $waiters, 'x', 30.0, 0.0);
usleep(400000);
foreach ($waiters as $waiter) {
    $waiter->worker->kill();
}
usleep(2600000);
var_dump($holder->unlock('x'));
is_so('free at once', foreign_lock($redis, 'lock:x', 'theirs'));
var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
free at once: yes
bool(true)
Array
(
)
