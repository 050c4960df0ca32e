--TEST--
unlockAll() of a mixed set hands those with waiters over and frees the others
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
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['a', 'b', 'c', 'd'] as $name) {
    $lock->lock($name);
}
$waiters = [];
foreach (['b', 'd'] as $name) {
    $waiters[$name] = Worker::start('
        $lock = new RedisLock($argv[1]);
        var_dump($lock->lock($argv[2], timeout: 10));
        fgets(STDIN);
        var_dump($lock->unlock($argv[2]));
    ', [$server->dsn(), $name]);
    is_so("$name has a waiter", wait_until(fn () => $lock->waiters($name) === 1));
}

var_dump($lock->unlockAll());
foreach ($waiters as $name => $waiter) {
    echo "$name: ", $waiter->readLine(), "\n";
    is_so("$name is locked", $lock->owner($name) !== null);
}
is_so('a is free', $lock->owner('a') === null);
is_so('c is free', $lock->owner('c') === null);
foreach ($waiters as $name => $waiter) {
    $waiter->tell('go on');
    echo "$name: ", $waiter->readLine(), "\n";
    $waiter->wait();
}
print_r(all_keys($redis));
?>
--EXPECT--
b has a waiter: yes
d has a waiter: yes
bool(true)
b: bool(true)
b is locked: yes
d: bool(true)
d is locked: yes
a is free: yes
c is free: yes
b: bool(true)
d: bool(true)
Array
(
)
