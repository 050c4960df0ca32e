--TEST--
php-fpm: a client that goes away while its request waits: the wait goes on, and the request ends as if it were there
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
$fpm->script('wait.php', <<<'PHP'
    <?php
    ob_implicit_flush();
    echo 'waiting';
    $lock = new RedisLock($_GET['dsn']);
    $got = $lock->lock('x', 10.0);
    for ($until = hrtime(true) + 5e9; hrtime(true) < $until; usleep(1000)) {
        echo 'x';
    }
    file_put_contents($_GET['log'], 'not cut short', FILE_APPEND);
    PHP);
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$request = $fpm->request('wait.php', ['dsn' => $server->dsn(), 'log' => $fpm->path('log')]);
wait_until(fn () => $holder->waiters('x') === 1);
$request->abort();
usleep(50000);
is_so('it still waits', $holder->waiters('x') === 1);
var_dump($holder->unlock('x'));
$gone = seconds(fn () => wait_until(fn () => all_keys($redis) === []));
took_between('seconds until its turn was over', $gone, 0, 1);
is_so('it was cut short', !file_exists($fpm->path('log')));
?>
--EXPECT--
it still waits: yes
bool(true)
seconds until its turn was over: yes
it was cut short: yes
