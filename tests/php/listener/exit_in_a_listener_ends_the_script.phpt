--TEST--
exit in a listener ends the script: a section does not begin, and its lock is released
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
$worker = Worker::start('
    $lock = new RedisLock($argv[1], ["listener" => function ($event) {
        echo "$event\n";
        if ($event === "acquired") {
            exit;
        }
    }]);
    $lock->{$argv[2]}("x", fn () => print("the section runs\n"), 60);
    echo "not reached\n";
', [$server->dsn(), 'synchronized']);
echo $worker->output();
var_dump($server->client()->cmd('KEYS', '*'));
?>
--EXPECT--
acquired
released
array(0) {
}
