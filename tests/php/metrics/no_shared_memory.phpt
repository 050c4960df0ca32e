--TEST--
metrics() without shared memory: one line in the log of a process, and its own numbers; off: none
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
mkdir($shared = "$folder->path/shared");

/** Locks twice, and tells what was logged and what is known. */
function tell(string $label, string $shared, string ...$options): void
{
    global $server, $folder;
    $log = "$folder->path/log";
    @unlink($log);
    $metrics = json_decode(Worker::run('
        foreach ([1, 2] as $i) {
            $lock = new RedisLock($argv[1]);
            $lock->lock("stock:1") && $lock->unlock("stock:1");
        }
        echo json_encode(RedisLock::metrics());
    ', [$server->dsn()], options: [...counts_in($shared), '-d', "error_log=$log", ...$options]), true);
    $lines = is_file($log) ? file($log) : [];
    echo "$label\n";
    foreach ($lines as $line) {
        echo '    log: ', str_replace($folder->path, '', preg_replace('/^\[.*?\] /', '', $line));
    }
    echo '    machine: ', told($metrics['machine']['groups']['stock'] ?? null), "\n";
    echo '    process: ', told($metrics['process']['groups']['stock'] ?? null), "\n";
    echo '    problem: ', str_replace($folder->path, '', $metrics['problem'] ?? 'none'), "\n";
}

$file = "$shared/redislock.metrics.v1." . posix_geteuid();
tell('as it should be', $shared);
chmod($file, 0644);
tell('a file that others may read', $shared);
unlink($file);
symlink("$folder->path/elsewhere", $file);
tell('a link', $shared);
is_so('nothing is made where it leads', !file_exists("$folder->path/elsewhere"));
unlink($file);
file_put_contents("$folder->path/another", '');
chmod("$folder->path/another", 0600);
link("$folder->path/another", $file);
tell('a second name of another file', $shared);
is_so('nothing is written there', filesize("$folder->path/another") === 0);
tell('no folder', "$folder->path/none");
unlink($file);
tell('off', $shared, '-d', 'redislock.metrics=0');
is_so('no file is made', !file_exists($file));
var_dump(ini_set('redislock.metrics', '0'), ini_set('redislock.shared_memory', '/tmp'));
echo outcome(fn () => RedisLock::metrics(-1)), "\n";
foreach (['', 'here'] as $path) {
    echo trim(Worker::run('echo ini_get("redislock.shared_memory"), "\n";', options: ['-d', 'display_startup_errors=1', ...counts_in($path)])), "\n";
}
?>
--EXPECTF--
as it should be
    machine: acquired 2, released 2, wait 2, hold 2
    process: acquired 2, released 2, wait 2, hold 2
    problem: none
a file that others may read
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: its mode is 0644, not 0600
    machine: 
    process: acquired 2, released 2, wait 2, hold 2
    problem: /shared/redislock.metrics.v1.%d: its mode is 0644, not 0600
a link
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it cannot be opened: Too many levels of symbolic links
    machine: 
    process: acquired 2, released 2, wait 2, hold 2
    problem: /shared/redislock.metrics.v1.%d: it cannot be opened: Too many levels of symbolic links
nothing is made where it leads: yes
a second name of another file
    log: redislock: the metrics of this process are not added to those of the machine: /shared/redislock.metrics.v1.%d: it has 2 names
    machine: 
    process: acquired 2, released 2, wait 2, hold 2
    problem: /shared/redislock.metrics.v1.%d: it has 2 names
nothing is written there: yes
no folder
    log: redislock: the metrics of this process are not added to those of the machine: /none/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
    machine: 
    process: acquired 2, released 2, wait 2, hold 2
    problem: /none/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
off
    machine: 
    process: 
    problem: redislock.metrics is off
no file is made: yes
bool(false)
bool(false)
ValueError: RedisLock::metrics(): Argument #1 ($user) must be the number of a user
Warning: PHP Startup: redislock.shared_memory must be a folder's path that begins with "/"; the value is unchanged in Unknown on line 0
/dev/shm
Warning: PHP Startup: redislock.shared_memory must be a folder's path that begins with "/"; the value is unchanged in Unknown on line 0
/dev/shm
