--TEST--
The lease of a dead holder has ended and nobody has looked yet: a newcomer that waits lets those in front of it go first
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
foreach (['a dead holder', 'a foreign client'] as $whose) {
    $waiters = Remote::startMany(3, $server->dsn());
    $newcomer = Remote::start($server->dsn());
    foreign_lock($redis, 'lock:x', $whose === 'a dead holder' ? 'rl:' . str_repeat('0', 32) : 'theirs');
    line_up($redis, $waiters, 'x', 10.0, 0.01);
    foreach ($waiters as $waiter) {
        $waiter->signal('STOP'); // so that nobody looks
    }
    $redis->cmd('DEL', 'lock:x');
    $newcomer->begin('turn', 'x', 10.0, 0.01);
    usleep(100000);
    foreach ($waiters as $waiter) {
        $waiter->signal('CONT');
    }
    echo "$whose\n";
    check_turns([...$waiters, $newcomer]);
}
print_r(all_keys($redis));
?>
--EXPECT--
a dead holder
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
a foreign client
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
