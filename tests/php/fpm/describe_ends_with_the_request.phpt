--TEST--
php-fpm: what describe() was told ends with the request, and no script's name is told
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
$fpm = Fpm::start(1);
$fpm->script('take.php', <<<'PHP'
    <?php
    if ($_GET['what'] !== '') {
        RedisLock::describe($_GET['what']);
    }
    $lock = new RedisLock($_GET['dsn']);
    $lock->lock('x');
    echo str_replace(':' . getmypid(), ':PID', strstr($lock->holder('x')['owner'], ':'));
    if ($_GET['fails']) {
        ini_set('memory_limit', '4M');
        str_repeat('x', 1 << 23);
    }
    PHP);
foreach ([['GET /orders', 0], ['', 0], ['GET /orders', 1], ['', 0]] as [$what, $fails]) {
    echo strtok($fpm->get('take.php', ['dsn' => $server->dsn(), 'what' => $what, 'fails' => $fails]), "\n"), "\n";
}
?>
--EXPECT--
:PID GET /orders
:PID
:PID GET /orders
:PID
