--TEST--
1 000 signals a second: a wait ends at its timeout all the same, and a release wakes it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

const COUNTS = 'pcntl_async_signals(true); pcntl_signal(SIGUSR1, function () { $GLOBALS["ticks"] = ($GLOBALS["ticks"] ?? 0) + 1; });';
$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$waiter = Remote::start($server->dsn(), [], COUNTS);
$storm = Worker::start(<<<'PHP'
    // The signals of a child that is not ours cannot be sent without posix: kill(1) of a shell's loop is slower.
    $shell = proc_open(['sh', '-c', 'while kill -USR1 ' . $argv[1] . ' 2>/dev/null; do :; done'], [], $pipes);
    fgets(STDIN);
    proc_terminate($shell, 9);
    PHP, [$waiter->worker->pid()]);

// Not of the storm itself, which is mostly held up.
$pids = [$waiter->worker->pid(), ...$server->pids()];
$held_up = fn () => array_sum(array_map(fn ($pid) => array_sum(process_held_up($pid)), $pids)) / 1e9;
$late = [];
foreach ([0.3, 0.7, 1.1] as $timeout) {
    $before = $held_up();
    $waiter->begin('lock', 'x', $timeout);
    $answer = $waiter->answer();
    if ($answer['result'] !== false) {
        echo json_encode($answer), "\n";
    }
    $late[] = ($answer['ended'] - $answer['began'] - $timeout - ($held_up() - $before)) * 1000;
}
is_between('ms past the timeout, at most', max($late), -1000, 1000 * slow(0.05));
$waiter->begin('turn', 'x', 10.0);
await_blocked($redis, 1);
$released = now();
$holder->unlock('x');
$turn = $waiter->answer()['result'];
ms_between('ms until the release has woken it', ($turn['from'] - $released) * 1000, 0, 50);
$storm->tell('enough');
print_r(all_keys($redis));
?>
--EXPECT--
ms past the timeout, at most: yes
ms until the release has woken it: yes
Array
(
)
