--TEST--
A program that PHP starts inherits nothing of the renewing thread: no socket, no pipe, no timer
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/renew.inc';
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start(tcp: true);
/** What is open in this process, by its number. */
function open_files(): array
{
    $open = [];
    foreach (scandir('/proc/self/fd') as $fd) {
        $target = (string) @readlink("/proc/self/fd/$fd");
        if (preg_match('/^(socket|pipe|anon_inode):/', $target)) {
            $open[$fd] = $target;
        }
    }
    return $open;
}
$before = open_files();
$locks = [];
foreach ([$server->dsn(), $server->tcpDsn()] as $i => $dsn) {
    $locks[$i] = new RedisLock($dsn, ['expire' => lease(0.6), 'renew' => true]);
    $locks[$i]->lock("x$i");
}
await_renewed(4);
$new = array_diff_assoc(open_files(), $before);
is_so('opened', count($new) >= 6, $new);
$list = PHP_BINARY . ' -n -r ' . escapeshellarg('foreach (scandir("/proc/self/fd") as $fd) { echo $fd, " ", @readlink("/proc/self/fd/$fd"), "\n"; }');
exec($list, $seen);
echo 'in the child of exec(): ', count(array_filter($seen, fn ($line) => array_key_exists(strtok($line, ' '), $new) && str_ends_with($line, $new[strtok($line, ' ')]))), "\n";
$process = proc_open($list, [1 => ['pipe', 'w']], $pipes);
$seen = explode("\n", stream_get_contents($pipes[1]));
proc_close($process);
echo 'in the child of proc_open(): ', count(array_filter($seen, fn ($line) => $line !== '' && array_key_exists(strtok($line, ' '), $new) && str_ends_with($line, $new[strtok($line, ' ')]))), "\n";
is_so('renewed meanwhile', $locks[0]->isLocking('x0') && $locks[1]->isLocking('x1'));
?>
--EXPECT--
opened: yes
in the child of exec(): 0
in the child of proc_open(): 0
renewed meanwhile: yes
