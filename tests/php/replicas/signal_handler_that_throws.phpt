--TEST--
An exception of a signal handler ends the wait for replicas, and the lock is given back
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated(1);
$servers->pauseOne();
$worker = Worker::start('
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, fn () => throw new Exception("enough"));
    $lock = new RedisLock($argv[1], ["replicas" => 1, "read_timeout" => 30]);
    foreach (["lock" => ["x", 30.0, 60.0], "lockAll" => [["x", "y"], 30.0, 60.0], "remember" => ["x", fn () => 1, 60, 30.0]] as $method => $args) {
        echo "ready\n";
        try {
            $lock->$method(...$args);
        } catch (Exception $e) {
            echo $e->getMessage(), " ", json_encode($lock->held()), "\n";
        }
        fgets(STDIN);
    }
', [$servers->server->dsn()]);
foreach (['lock', 'lockAll', 'remember'] as $method) {
    $worker->readLine();
    is_so("$method waits", wait_until(fn () => blocked($servers->server->client()) === 1));
    $worker->signal('USR1');
    took_between('it ends', seconds(fn () => print($worker->readLine() . "\n")), 0, 0.2);
    echo 'left: ', implode(' ', $servers->keys()), "\n";
    $worker->tell('next');
}
?>
--EXPECT--
lock waits: yes
enough []
it ends: yes
left: 
lockAll waits: yes
enough []
it ends: yes
left: 
remember waits: yes
enough []
it ends: yes
left: 
