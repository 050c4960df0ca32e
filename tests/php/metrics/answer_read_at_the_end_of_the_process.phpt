--TEST--
A server that has lost a script says so only when the process ends: the process ends well, and the lock is released there too
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../redlock/ring.inc';

$ring = new Ring(3);
$folder = new PrivateFolder();
$worker = Worker::start('
    $lock = new RedisLock(explode(" ", $argv[1]), ["node_timeout" => 0.9]);
    echo $lock->lock("x", expire: 60.0) && $lock->unlock("x") ? "warm\n" : "NOT WARM\n";
    fgets(STDIN);
    echo $lock->lock("x", expire: 60.0) && $lock->unlock("x") ? "released\n" : "NOT RELEASED\n";
    fgets(STDIN);
', [implode(' ', $ring->dsns())], options: counts_in($folder->path));
echo $worker->readLine(), "\n";
$ring[2]->client()->cmd('SCRIPT', 'FLUSH');
$ring[2]->pause();
$worker->tell('');
echo $worker->readLine(), "\n";
$ring[2]->resume();
$ring[2]->client()->cmd('PING'); // behind the release, which came first
$worker->tell('');
echo $worker->output();
var_dump($worker->wait());
$ring->isClean();
?>
--EXPECT--
warm
released
int(0)
nothing is left: yes
