--TEST--
A program that PHP starts inherits no socket to Redis
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (!is_dir('/proc/self/fd')) {
    die('skip needs /proc');
}
?>
--FILE--
<?php
require __DIR__ . '/fork.inc';

$server = RedisServer::start(tcp: true);
function sockets(string $pid): array
{
    $sockets = [];
    foreach (glob("/proc/$pid/fd/*") as $fd) {
        $target = (string) @readlink($fd);
        if (str_starts_with($target, 'socket:')) {
            $sockets[] = $target;
        }
    }
    return $sockets;
}
$list = PHP_BINARY . ' -n -r ' . escapeshellarg('foreach (glob("/proc/self/fd/*") as $fd) { echo @readlink($fd), "\n"; }');
foreach ([$server->dsn(), $server->tcpDsn()] as $dsn) {
    $before = sockets('self');
    $holder = new RedisLock($dsn);
    $holder->lock('x');
    $waiter = new RedisLock($dsn, ['persistent' => false]);
    $waiter->lock('x', 0.3); // a second one, for its looks
    $new = array_diff(sockets('self'), $before);
    is_so('new sockets', count($new) >= 2, $new);
    exec($list, $seen);
    echo 'in the child of exec(): ', count(array_intersect($seen, $new)), "\n";
    $process = proc_open($list, [1 => ['pipe', 'w']], $pipes);
    $seen = explode("\n", stream_get_contents($pipes[1]));
    echo 'in the child of proc_open(): ', count(array_intersect($seen, $new)), "\n";
    proc_close($process);
    $holder->unlock('x');
}
?>
--EXPECT--
new sockets: yes
in the child of exec(): 0
in the child of proc_open(): 0
new sockets: yes
in the child of exec(): 0
in the child of proc_open(): 0
