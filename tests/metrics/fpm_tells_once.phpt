--TEST--
metrics(): workers of php-fpm that are replaced all the time log once why there is no shared memory, and again after a reload
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
$fpm = Fpm::start(2, ['pm.max_requests = 1'], ['redislock.shared_memory' => $shared = "$folder->path/shared", 'log_errors' => '1']);
$fpm->script('lock.php', '<?php
    $lock = new RedisLock($_GET["dsn"]);
    echo $lock->lock("stock:1") && $lock->unlock("stock:1") ? getmypid() : "held";
    error_log("sold");');

/** Has 20 workers lock, and tells which lines came of it. */
function lines(string $label): void
{
    global $fpm, $server, $folder;
    static $seen = 0, $logged = 0;
    $workers = [];
    for ($i = 0; $i < 20; $i++) {
        $workers[$fpm->get('lock.php', ['dsn' => $server->dsn()])] = true;
    }
    $log = '';
    // What a worker logs reaches the master by a pipe, and the master now and then drops the last words of a worker that ends.
    wait_until(function () use ($fpm, &$log, $logged) {
        $log = file_get_contents($fpm->path('fpm.log')) . file_get_contents($fpm->path('fpm.out'));
        return substr_count($log, 'sold') - $logged === 20;
    }, 3.0);
    $most = substr_count($log, 'sold') - $logged >= 15;
    $logged = substr_count($log, 'sold');
    preg_match_all('/redislock: the metrics of this process .*?(?=" *$|$)/m', $log, $lines);
    echo "$label\n    ", count($workers), ' workers, ', $most ? 'most' : 'too few', " of their sales logged\n";
    foreach (array_slice($lines[0], $seen) as $line) {
        echo '    log: ', str_replace($folder->path, '', $line), "\n";
    }
    $seen = count($lines[0]);
}

lines('no folder');
file_put_contents($shared, '');
lines('another reason');
unlink($shared);
lines('the first one again');
$before = $fpm->workers();
$fpm->signal('USR2');
is_so('reloaded', wait_until(fn () => count($fpm->workers()) === 2 && !array_intersect($before, $fpm->workers())));
lines('after a reload');
?>
--EXPECTF--
no folder
    20 workers, most of their sales logged
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
another reason
    20 workers, most of their sales logged
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: Not a directory
the first one again
    20 workers, most of their sales logged
reloaded: yes
after a reload
    20 workers, most of their sales logged
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
