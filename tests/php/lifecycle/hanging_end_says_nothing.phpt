--TEST--
A Redis that hangs while the request ends, or is gone by then: the script's output has no warning of it
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ends.inc';

$server = RedisServer::start();
foreach ([true, 'request', false] as $auto_release) {
    foreach (['pause', 'kill'] as $do) {
        $worker = Worker::start(
            '$lock = new RedisLock($argv[1], ["auto_release" => unserialize($argv[2])]);
            $lock->lock("x");
            echo "held\n";
            fgets(STDIN);
            echo "the last line\n";',
            [$server->dsn(), serialize($auto_release)],
        );
        $worker->readLine();
        $server->$do();
        $worker->tell('end');
        echo json_encode($auto_release), ", $do: ", json_encode($worker->output()), ", {$worker->wait()}\n";
        $server->restart();
    }
}
?>
--EXPECT--
true, pause: "the last line\n", 0
true, kill: "the last line\n", 0
"request", pause: "the last line\n", 0
"request", kill: "the last line\n", 0
false, pause: "the last line\n", 0
false, kill: "the last line\n", 0
