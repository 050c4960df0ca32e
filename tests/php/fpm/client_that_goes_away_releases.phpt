--TEST--
php-fpm: a client that goes away: its lock is gone within milliseconds of PHP noticing it
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
$fpm->script('stream.php', <<<'PHP'
    <?php
    ob_implicit_flush();
    $lock = new RedisLock($_GET['dsn']);
    $lock->lock('x', 10.0);
    for ($until = hrtime(true) + 10e9; hrtime(true) < $until; usleep(1000)) {
        echo 'x'; // PHP notices by this
    }
    PHP);
$latencies = [];
for ($i = 0; $i < 9; $i++) {
    $request = $fpm->request('stream.php', ['dsn' => $server->dsn()]);
    $request->awaitBody();
    if (!$redis->cmd('EXISTS', 'lock:x')) {
        echo "NO LOCK DURING THE REQUEST\n";
    }
    $request->abort();
    $latencies[] = 1000 * seconds(fn () => wait_until(fn () => all_keys($redis) === []));
}
sort($latencies);
ms_between("ms until it was gone, median", $latencies[4], 0, 20, count($latencies));
?>
--EXPECT--
ms until it was gone, median: yes
