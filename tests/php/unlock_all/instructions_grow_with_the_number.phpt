--TEST--
unlockAll() of ten times as many locks takes ten times as many instructions, also where the server falls silent
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('it runs valgrind itself');
find_program('valgrind') ?? die('skip there is no valgrind');
?>
--FILE--
<?php
require __DIR__ . '/very_many.inc';

/** The instructions of user space that unlockAll() takes for so many locks. */
function instructions(RedisServer $server, int $count, bool $stops): int
{
    $redis = $server->client(30);
    $redis->cmd('FLUSHALL');
    $folder = new PrivateFolder();
    $worker = Worker::start(
        'require $argv[1];
        $lock = new RedisLock($argv[2], ["read_timeout" => (float) $argv[4], "auto_release" => false]);
        take_very_many($lock, $argv[3]);
        echo "taken\n";
        fgets(STDIN);
        try {
            var_dump($lock->unlockAll());
        } catch (RedisLockConnectionException) {
            echo "silent\n";
        }',
        [__DIR__ . '/very_many.inc', $server->dsn(), $count, $stops ? 0.5 : 10],
        ['VALGRIND_OPTS' => ''], // bin/test's are for memcheck
        options: ['-d', 'memory_limit=2G'],
        tool: ['valgrind', '-q', '--tool=callgrind', '--toggle-collect=zim_RedisLock_unlockAll', "--callgrind-out-file=$folder->path/counts"],
    );
    $worker->readLine(120);
    $stopped = $stops ? stop_behind($server, 3500) : null;
    $worker->tell('go on');
    echo "$count: ", trim($worker->output(120)), ', ';
    $stopped?->output();
    $server->resume();
    echo $stops ? '' : $redis->cmd('DBSIZE') . ' left, ';
    preg_match('/^totals: (\d+)/m', file_get_contents("$folder->path/counts"), $found);
    tell_numbers("unlockAll() of $count" . ($stops ? ', silent' : '') . ": $found[1] instructions");
    return (int) $found[1];
}

$server = RedisServer::start();
foreach ([false, true] as $stops) {
    $few = instructions($server, 10_000, $stops);
    $many = instructions($server, 100_000, $stops);
    is_between('times as many', $many / $few, $stops ? 1 : 9, 11);
}
?>
--EXPECT--
10000: bool(true), 0 left, 100000: bool(true), 0 left, times as many: yes
10000: silent, 100000: silent, times as many: yes
