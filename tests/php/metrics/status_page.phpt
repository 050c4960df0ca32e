--TEST--
examples/metrics.php: a page of a pool, in either format, also before anybody has counted
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
$fpm = Fpm::start(2, [], ['redislock.shared_memory' => $folder->path]);
$fpm->script('page.php', file_get_contents(dirname(__DIR__, 3) . '/examples/metrics.php'));
$fpm->script('open.php', '<?php $_SERVER["HTTP_ACCEPT"] = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    ob_start(fn ($page) => implode("\n", preg_grep("/Content-Type/", headers_list())) . "\n" . $page);
    require __DIR__ . "/page.php";');
$fpm->script('lock.php', '<?php $lock = new RedisLock($_GET["dsn"]); echo $lock->lock("stock:1") && $lock->unlock("stock:1") ? "sold" : "held";');
$shown = fn (string $page) => implode("\n", preg_grep('/Content-Type|acquire_total.*"acquired"|TYPE redislock_acquire|EOF/', explode("\n", $page))) . "\n";

echo 'at first: ', $shown($fpm->get('page.php')), $shown($fpm->get('open.php'));
echo $fpm->get('lock.php', ['dsn' => $server->dsn()]), "\n";
echo $shown($fpm->get('page.php')), $shown($fpm->get('open.php'));
unlink($file = glob("$folder->path/redislock.metrics.*")[0]);
symlink('/dev/null', $file);
echo str_replace($folder->path, '', $fpm->get('page.php'));
?>
--EXPECTF--
at first: 
Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8
# EOF
sold
# TYPE redislock_acquire_total counter
redislock_acquire_total{group="other",outcome="acquired"} 0
redislock_acquire_total{group="stock",outcome="acquired"} 1
Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8
# TYPE redislock_acquire counter
redislock_acquire_total{group="other",outcome="acquired"} 0
redislock_acquire_total{group="stock",outcome="acquired"} 1
# EOF
/redislock.metrics.v1.%d: it cannot be opened: Too many levels of symbolic links
