--TEST--
pop() of more than memory_limit allows ends by its error, and the tasks stand where they stood
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('memory_limit needs PHP\'s own allocator');
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$queue = new RedisQueue($server->dsn(), ['read_timeout' => 20.0]);
$queue->enqueue('x', 'tried');
$task = $queue->reserve('x');
$queue->release('x', $task['id'], $task['receipt']);
$queue->enqueue('x', array_map(fn ($i) => "some task, not the shortest, $i", range(1, 9999)));
$queue->enqueue('long', str_repeat('x', 65535));
$before = $queue->top('x', 10000);

foreach (['2M', '4M'] as $limit) {
    echo "$limit:", Worker::run(<<<'PHP'
        ini_set('memory_limit', $argv[2]);
        $tasks = (new RedisQueue($argv[1], ['read_timeout' => 20.0]))->pop('x', 10000);
        echo 'NOT REACHED, with ', count($tasks), "\n";
        PHP, [$server->dsn(), $limit]);
    is_so('they stand where they stood', $queue->top('x', 10000) == $before, counts($queue, 'x'));
}
is_so('with as many attempts', $queue->reserve('x')['attempts'] === 2);

// One task is one too many where there is no room at all.
echo 'one:', Worker::run(<<<'PHP'
    ini_set('memory_limit', '2M');
    $queue = new RedisQueue($argv[1]);
    $queue->stats('long');
    for ($rest = []; memory_get_usage() + 30000 < 2 << 20; ) {
        $rest[] = str_repeat('x', 3000);
    }
    echo 'NOT REACHED, with ', count($queue->pop('long', 1)), "\n";
    PHP, [$server->dsn()]);
echo counts($queue, 'long'), "\n";
?>
--EXPECTF--
2M:
%AFatal error: Allowed memory size of 2097152 bytes exhausted %a
they stand where they stood: yes
4M:
%AFatal error: Allowed memory size of 4194304 bytes exhausted %a
they stand where they stood: yes
with as many attempts: yes
one:
%AFatal error: Allowed memory size of 2097152 bytes exhausted %a
1 due
