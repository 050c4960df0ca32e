--TEST--
SCRIPT FLUSH under waiters: looks, claims and releases go on
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
$waiters = Remote::startMany(4, $server->dsn());
$holder = Remote::start($server->dsn());
$holder->call('lock', 'x', 0.0, 1.0);
line_up($redis, $waiters, 'x', 10.0, 0.005);
$flusher = Worker::start(<<<'PHP'
    require $argv[2];
    $redis = new RawClient($argv[1]);
    for (;;) {
        $redis->cmd('SCRIPT', 'FLUSH');
        usleep(1000);
    }
    PHP, [$server->addressOf('lock:x'), __DIR__ . '/../inc/client.inc']);
$holder->signal('KILL');
check_turns($waiters);
print_r(all_keys($redis));
?>
--EXPECT--
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
Array
(
)
