--TEST--
With `max_waiters` reached, lock() is false at once instead of waiting
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

$server = RedisServer::start();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiters = [];
for ($i = 1; $i <= 2; $i++) {
    $waiters[] = Worker::start('
        $lock = new RedisLock($argv[1], ["max_waiters" => 2]);
        var_dump($lock->lock("x", timeout: 20));
    ', [$server->dsn()]);
    is_so("$i wait", wait_until(fn () => $holder->waiters('x') === $i));
}
$lock = new RedisLock($server->dsn(), ['max_waiters' => 2]);
took_between('seconds', seconds(function () use ($lock) {
    var_dump($lock->lock('x', timeout: 5));
}), 0, 0.5);
var_dump($holder->waiters('x'));
$holder->unlock('x');
echo 'first: ', $waiters[0]->readLine(), "\n";
?>
--EXPECT--
1 wait: yes
2 wait: yes
bool(false)
seconds: yes
int(2)
first: bool(true)
