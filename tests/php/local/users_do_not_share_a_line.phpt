--TEST--
Workers of two users have a line each, and exclude each other by Redis
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_without_fpm();
posix_geteuid() === 0 || die('skip only root can change the user');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::startAlone([], true);
$redis = $server->client();
$machine = new Machine($server->tcpDsn());
$root = dirname($machine->folder);
chmod($root, 0755);
chmod($machine->folder, 01777);
// The pool sees the same folder, but not those around it, which are root's alone.
$fpm = Fpm::start(2, ["chroot = $root", 'chdir = /', 'user = nobody', 'group = nogroup'], ['redislock.shared_memory' => '/shm', 'redislock.local' => '1']);
file_put_contents("$root/turn.php", '<?php
    $lock = new RedisLock($_GET["dsn"]);
    echo json_encode([$lock->lock("x", 20.0), $lock->unlock("x")]);');
[$holder] = $machine->workers(1);
$holder->call('lock', 'x');
$requests = array_map(fn () => new FcgiRequest($fpm->path('fpm.sock'), '/turn.php', http_build_query(['dsn' => $server->tcpDsn()])), [1, 2]);
await_blocked($redis, 1); // one of them asks Redis, the other one stands in line behind it
var_dump($machine->waiting(), $holder->call('unlock', 'x'));
foreach ($requests as $request) {
    $request->finish();
    echo $request->body(), "\n";
}
is_so('a segment of each', count(glob("$machine->folder/redislock.local.*")) === 2, glob("$machine->folder/*"));
is_so('none was passed on to another user', passed_on([$holder]) === 0);
print_r(all_keys($redis));
?>
--EXPECT--
int(0)
bool(true)
[true,true]
[true,true]
a segment of each: yes
none was passed on to another user: yes
Array
(
)
