--TEST--
php-fpm: a worker that is to end does so quickly, though Redis has not answered what its thread asked last
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
require __DIR__ . '/renew.inc';
skip_without_fpm();
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::start();
$fpm = Fpm::start(1);
$fpm->script('hold.php', '<?php
    $lock = new RedisLock($_GET["dsn"], ["expire" => 3, "read_timeout" => 30, "renew" => true, "auto_release" => json_decode($_GET["auto_release"])]);
    $lock->lock("x");
    echo "held\n";
    flush();
    usleep(1_200_000); // the lease is due after 1 s');
foreach (['true', 'false'] as $auto_release) {
    $request = $fpm->request('hold.php', ['dsn' => $server->dsn(), 'auto_release' => $auto_release]);
    $request->awaitBody();
    [$worker] = $fpm->workers();
    $server->pause();
    held_up_from_now();
    took_between("auto_release $auto_release: the request ends, seconds", seconds(fn () => $request->finish()), 0, 1.9);
    echo 'threads: ', threads($worker), "\n";
    exec("kill -QUIT $worker");
    took_between("auto_release $auto_release: the worker ends, seconds", seconds(fn () => wait_until(fn () => !in_array($worker, $fpm->workers()))), 0, 0.5);
    $server->resume();
    $server->client()->cmd('FLUSHALL');
    wait_until(fn () => count($fpm->workers()) === 1);
}
?>
--EXPECT--
auto_release true: the request ends, seconds: yes
threads: 2
auto_release true: the worker ends, seconds: yes
auto_release false: the request ends, seconds: yes
threads: 2
auto_release false: the worker ends, seconds: yes
