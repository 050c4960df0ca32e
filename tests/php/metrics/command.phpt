--TEST--
redislock metrics: the numbers of this user and, for root, of others; or as whom to run it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
posix_geteuid() === 0 || die('skip only root can be another user');
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../cli/cli.inc';

$server = RedisServer::startAlone([], true);
// Private folders are within one that no other user may enter.
mkdir($folder = '/tmp/redislock-test-' . bin2hex(random_bytes(6)));
chmod($folder, 01777);
copy(dirname(__DIR__, 3) . '/bin/redislock', $program = "$folder/redislock");
register_shutdown_function(fn () => array_map(unlink(...), glob("$folder/*")) && rmdir($folder));
$nobody = posix_getpwnam('nobody')['uid'];

/** Runs the command as that user, and shows the line of one number, or what it says. */
function metrics_as(?int $uid, string ...$args): void
{
    global $folder, $program;
    $become = 'posix_setgid((int) $argv[1]) && posix_setuid((int) $argv[1]); array_splice($argv, 0, 2); require $argv[0];';
    $run = run_to_end([...php_command(), ...counts_in($folder), '-r', $become, '--', (string) ($uid ?? 0), $program, 'metrics', ...$args]);
    $shown = implode(' ', preg_grep('/_acquire_total.*"stock".*"acquired"/', explode("\n", $run->out)));
    echo implode(' ', $args), ' => ', $run->status, ' ', $shown, str_replace($folder, '/…', $run->err), $shown === '' ? '' : "\n";
}

$lock = fn (string $extra) => Worker::run($extra . 'foreach ([1, 2] as $i) {
        $lock = new RedisLock($argv[1]);
        $lock->lock("stock:$i") && $lock->unlock("stock:$i");
    }', [$server->tcpDsn()], options: counts_in($folder));
metrics_as(null);
echo $lock("posix_setuid($nobody);");
metrics_as(null);
metrics_as(null, '--uid=nobody');
metrics_as(null, "--uid=$nobody");
metrics_as($nobody);
echo $lock('');
metrics_as(null);
metrics_as(12345);
metrics_as(12345, "--uid=$nobody");
metrics_as(null, '--uid=nobody-at-all');
metrics_as(null, '--uid=99999999999');
?>
--EXPECTF--
 => 1 redislock: no process of the user root has counted anything on this machine
 => 1 redislock: no process of the user root has counted anything on this machine. Others have: run this with --uid=%d (nobody)
--uid=nobody => 0 redislock_acquire_total{group="stock",outcome="acquired"} 2
--uid=%d => 0 redislock_acquire_total{group="stock",outcome="acquired"} 2
 => 0 redislock_acquire_total{group="stock",outcome="acquired"} 2
 => 0 redislock_acquire_total{group="stock",outcome="acquired"} 2
 => 1 redislock: no process of the user #12345 has counted anything on this machine. Others have: run this as root (sudo -u root redislock metrics), or as nobody (sudo -u nobody redislock metrics), or ask a worker that runs so: examples/metrics.php
--uid=%d => 3 redislock: /…/redislock.metrics.v1.%d: it cannot be opened: Permission denied; run this as nobody (sudo -u nobody redislock metrics), or ask a worker that runs so: examples/metrics.php
--uid=nobody-at-all => 2 redislock: --uid: there is no user nobody-at-all here
--uid=99999999999 => 2 redislock: --uid: there is no user 99999999999 here
