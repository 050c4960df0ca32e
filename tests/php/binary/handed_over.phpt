--TEST--
A name of any bytes is handed over to a waiter too
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
foreach (["a\r\n\0 {b", 'a}b', '{tag} c'] as $name) {
    $lock->lock($name);
    $waiter = Worker::start('
        $lock = new RedisLock($argv[1]);
        $name = base64_decode($argv[2]);
        var_dump($lock->lock($name, timeout: 10) && $lock->unlock($name));
    ', [$server->dsn(), base64_encode($name)]);
    is_so('it waits', wait_until(fn () => $lock->waiters($name) === 1));
    var_dump($lock->unlock($name));
    echo $waiter->output();
}
var_dump(all_keys($server->client()));
?>
--EXPECT--
it waits: yes
bool(true)
bool(true)
it waits: yes
bool(true)
bool(true)
it waits: yes
bool(true)
bool(true)
array(0) {
}
