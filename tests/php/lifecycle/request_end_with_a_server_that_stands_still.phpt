--TEST--
The server stands still when the request ends: the end takes a second at most, be there one object or many
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
$worker = Worker::start('
    for ($i = 0; $i < 5; $i++) {
        $locks[] = $lock = new RedisLock($argv[1], ["read_timeout" => 5, "auto_release" => $i % 2 ? true : "request"]);
        $lock->lock("x$i");
    }
    echo "held\n";
    fgets(STDIN);
', [$server->dsn()]);
echo $worker->readLine(), "\n";
$server->pause();
$worker->tell('end');
took_between('seconds', seconds(fn () => $worker->wait()), 0, 1.5);
$server->resume();
?>
--EXPECT--
held
seconds: yes
