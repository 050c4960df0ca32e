--TEST--
auto_release 'request': not with the object, but at the request's end
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
$redis = $server->client();
$worker = Worker::start('
    $lock = new RedisLock($argv[1], ["auto_release" => "request"]);
    var_dump($lock->lock("x"));
    unset($lock);
    var_dump((new RedisLock($argv[1], ["auto_release" => "request"]))->lock("y"));
    echo "gone\n";
    fgets(STDIN);
', [$server->dsn()]);
while (($line = $worker->readLine()) !== 'gone') {
    echo $line, "\n";
}
print_r(all_keys($redis));
$worker->tell('end');
$worker->wait();
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
Array
(
    [0] => lock:x
    [1] => lock:y
)
Array
(
)
