--TEST--
A waiter that gets the lock hears that it waited and then that it acquired it, with the seconds of the wait and the fence
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
$holder = Worker::start('
    $lock = new RedisLock($argv[1]);
    $lock->lock("x");
    echo "held\n";
    usleep(300_000);
    $lock->unlock("x");
', [$server->dsn()]);
$holder->readLine();
$lock = new RedisLock($server->dsn(), ['fencing' => true, 'timeout' => 20, 'listener' => function ($event, $name, $context) use (&$fence) {
    is_so("$event $name", $context['seconds'] > ($event === 'released' ? 0 : 0.05), $context);
    if ($event === 'waited') {
        var_dump($context['acquired']);
    }
    $fence = $context['fence'] ?? null;
}]);
var_dump($lock->lock('x'));
is_so('the fence', $fence === $lock->fence('x'), $fence);
unset($lock);
?>
--EXPECT--
waited x: yes
bool(true)
acquired x: yes
bool(true)
the fence: yes
released x: yes
