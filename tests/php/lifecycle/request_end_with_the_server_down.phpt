--TEST--
The server is gone when the request ends: it ends in silence
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

$server = RedisServer::start();
foreach (['true', '"request"'] as $auto_release) {
    $worker = Worker::start('
        $lock = new RedisLock($argv[1], ["auto_release" => ' . $auto_release . ']);
        var_dump($lock->lock("x"));
        fgets(STDIN);
    ', [$server->dsn()]);
    echo $worker->readLine(), "\n";
    $server->kill();
    $worker->tell('end');
    var_dump($worker->output(), $worker->wait());
    $server->restart();
}
?>
--EXPECT--
bool(true)
string(0) ""
int(0)
bool(true)
string(0) ""
int(0)
