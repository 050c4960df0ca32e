--TEST--
lockAll() takes the names that it was given, also when a signal handler assigns to a variable whose reference is among them
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('busy');
$waiter = Worker::start('
    pcntl_async_signals(true);
    $name = str_repeat("n", 40) . getmypid();
    $names = ["busy", &$name, "another"];
    pcntl_signal(SIGUSR1, function () use (&$name, &$others) {
        $name = "assigned";
        for ($i = 0; $i < 200; $i++) {
            $others[] = str_repeat("z", 40 + $i % 10); // the memory of the old one is used again
        }
        echo "assigned\n";
    });
    $lock = new RedisLock($argv[1]);
    $expected = ["another", "busy", strrev(strrev($name))]; // a string of its own
    var_dump($lock->lockAll($names, timeout: 20));
    $held = array_keys($lock->held());
    sort($held); // in a cluster, the names are taken in the order of their slots
    var_dump($held === $expected);
    fgets(STDIN);
    var_dump($lock->unlockAll());
', [$server->dsn()]);
is_so('it waits', wait_until(fn () => $lock->waiters('busy') === 1));
$waiter->signal('USR1');
echo $waiter->readLine(), "\n";
$lock->unlock('busy');
echo $waiter->readLine(), "\n", $waiter->readLine(), "\n";
echo preg_match('/^lock:another lock:busy lock:n{40}\d+$/', implode(' ', preg_grep('/rl/', all_keys($redis), PREG_GREP_INVERT))), "\n";
$waiter->tell('go on');
echo $waiter->readLine(), "\n";
$waiter->wait();
var_dump(all_keys($redis));
?>
--EXPECT--
it waits: yes
assigned
bool(true)
bool(true)
1
bool(true)
array(0) {
}
