--TEST--
php-fpm: work behind fastcgi_finish_request() is still under the lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(1);
$fpm->script('work.php', <<<'PHP'
    <?php
    $lock = new RedisLock($_GET['dsn']);
    $lock->lock('x');
    echo 'accepted';
    fastcgi_finish_request();
    for ($until = hrtime(true) + 10e9; hrtime(true) < $until && !file_exists($_GET['go']); usleep(1000));
    exit;
    PHP);
$request = $fpm->request('work.php', ['dsn' => $server->dsn(), 'go' => $fpm->path('go')]);
$request->finish();
echo $request->body(), "\n";
usleep(50000);
print_r(all_keys($redis));
touch($fpm->path('go'));
is_so('gone with the request', wait_until(fn () => all_keys($redis) === []));
?>
--EXPECT--
accepted
Array
(
    [0] => lock:x
)
gone with the request: yes
