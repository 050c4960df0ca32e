--TEST--
metrics(): a chrooted php-fpm pool counts in the shared memory that it sees, or says why it does not
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_without_fpm();
posix_geteuid() === 0 || die('skip only root can change the root');
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::startAlone([], true);
$root = new PrivateFolder();
chmod($root->path, 0755);
$fpm = Fpm::start(2, ['pm.max_requests = 1', "chroot = $root->path", 'chdir = /', 'user = nobody', 'group = nogroup'], ['redislock.shared_memory' => '/dev/shm']);
file_put_contents("$root->path/lock.php", '<?php
    $lock = new RedisLock($_GET["dsn"]);
    echo $lock->lock("stock:1") && $lock->unlock("stock:1") ? "sold" : "held", "\n";
    $metrics = RedisLock::metrics();
    echo $metrics["machine"]["groups"]["stock"]["acquired"] ?? "none", " ", $metrics["problem"], "\n";');
$lock = function () use ($fpm, $server) {
    $request = new FcgiRequest($fpm->path('fpm.sock'), '/lock.php', http_build_query(['dsn' => $server->tcpDsn()]));
    $request->finish();
    return $request->body();
};
echo $lock();
is_so('logged', wait_until(fn () => str_contains(file_get_contents($fpm->path('fpm.log')), 'redislock: the metrics of this process are not added')));
mkdir("$root->path/dev/shm", 0755, true);
chmod("$root->path/dev/shm", 01777);
echo $lock(), $lock();
is_so('in a file of the pool\'s user', fileowner(glob("$root->path/dev/shm/redislock.metrics.v1.*")[0]) === posix_getpwnam('nobody')['uid']);
?>
--EXPECTF--
sold
none /dev/shm/redislock.metrics.v1.%d: it cannot be opened: No such file or directory
logged: yes
sold
1 
sold
2 
in a file of the pool's user: yes
