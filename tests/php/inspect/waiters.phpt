--TEST--
waiters() counts those who wait, and leaves no key
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
$lock = new RedisLock($server->dsn());
$lock->lock('x');
var_dump($lock->waiters('x'), $lock->waiters('free'));

$workers = [];
for ($i = 1; $i <= 3; $i++) {
    $workers[] = Worker::start('
        $lock = new RedisLock($argv[1]);
        var_dump($lock->lock("x", timeout: 20) && $lock->unlock("x"));
    ', [$server->dsn()]);
    is_so("$i wait", wait_until(fn () => $lock->waiters('x') === $i), $lock->waiters('x'));
}
$lock->unlock('x');
foreach ($workers as $worker) {
    echo $worker->output();
}
var_dump($lock->waiters('x'), all_keys($server->client()));
?>
--EXPECT--
int(0)
int(0)
1 wait: yes
2 wait: yes
3 wait: yes
bool(true)
bool(true)
bool(true)
int(0)
array(0) {
}
