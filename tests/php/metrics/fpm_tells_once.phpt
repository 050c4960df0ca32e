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
    static $seen = 0, $sold = 0;
    $workers = [];
    for ($i = 0; $i < 20; $i++) {
        $workers[$fpm->get('lock.php', ['dsn' => $server->dsn()])] = true;
    }
    $sold += 20;
    $log = '';
    // What a worker logs reaches the master by a pipe.
    wait_until(function () use ($fpm, &$log, $sold) {
        $log = file_get_contents($fpm->path('fpm.log')) . file_get_contents($fpm->path('fpm.out'));
        return substr_count($log, 'sold') === $sold;
    });
    preg_match_all('/redislock: the metrics of this process .*?(?=" *$|$)/m', $log, $lines);
    echo "$label\n    ", count($workers), ' workers, ', substr_count($log, 'sold'), " sales\n";
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
    20 workers, 20 sales
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
another reason
    20 workers, 40 sales
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: Not a directory
the first one again
    20 workers, 60 sales
reloaded: yes
after a reload
    20 workers, 80 sales
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
