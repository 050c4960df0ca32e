--TEST--
php-fpm: 'request' outlives the object but not the request, and false outlives the request, in one and the same worker
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
$fpm->script('take.php', <<<'PHP'
    <?php
    $auto_release = json_decode($_GET['auto_release']);
    (new RedisLock($_GET['dsn'], ['auto_release' => $auto_release]))->lock('x');
    $lock = new RedisLock($_GET['dsn']);
    echo $lock->owner('x') === null ? 'free when the object was gone' : 'held when the object was gone';
    if ($_GET['exit']) {
        exit;
    }
    PHP);
foreach (['true', '"request"', 'false'] as $auto_release) {
    foreach ([0, 1] as $exit) {
        echo $auto_release, ': ', $fpm->get('take.php', ['dsn' => $server->dsn(), 'auto_release' => $auto_release, 'exit' => $exit]);
        echo ', ', json_encode(all_keys($redis)), " after the request\n";
        $redis->cmd('FLUSHALL');
    }
}
?>
--EXPECT--
true: free when the object was gone, [] after the request
true: free when the object was gone, [] after the request
"request": held when the object was gone, [] after the request
"request": held when the object was gone, [] after the request
false: held when the object was gone, ["lock:x"] after the request
false: held when the object was gone, ["lock:x"] after the request
