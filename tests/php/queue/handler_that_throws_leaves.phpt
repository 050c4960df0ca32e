--TEST--
A worker whose signal handler throws leaves at once; its wake-up and its watch go to others
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$redis = $server->client();
$queue = new RedisQueue($server->dsn());
$handler = 'pcntl_async_signals(true); pcntl_signal(SIGUSR1, function () { throw new Exception("stop"); });';
[$a, $b] = QueueWorker::startMany(2, $server->dsn(), [], $handler);

$queue->enqueue('x', 'late', afterInterval: 1.0);
let_wait($redis, [$a], 'pop', 'x', 1, 20);
let_wait($redis, [$b], 'pop', 'x', 1, 20);
$a->worker->signal('USR1');
echo $a->answer()['error'], "\n";
$answer = $b->answer();
echo $answer['result']['id'], "\n";
took_between('late', $answer['ended'] - $answer['result']['score'], 0, 0.4);

// Signals and tasks at one moment: none is lost, and no worker hangs. What the exception tore from a worker's hands when
// it had been delivered comes back.
for ($i = 0; $i < 20; $i++) {
    let_wait($redis, [$a, $b], 'reserve', 'x', 1, 0.1, 20);
    $a->worker->signal('USR1');
    $queue->enqueue('x', ["a$i", "b$i"]);
    $answers = [$a->answer(), $b->answer()];
    $seen = [];
    foreach (array_filter(array_column($answers, 'result')) as $task) {
        $seen[$task['id']] = true;
    }
    while (count($seen) < 2 && ($task = $queue->reserve('x', timeout: 10))) {
        $seen[$task['id']] = true;
    }
    if (count($seen) < 2 || $answers[1]['error'] !== null) {
        echo 'LOST: ', json_encode([$answers, $seen]), "\n";
    }
    $redis->cmd('FLUSHALL');
}
echo "done\n";
?>
--EXPECT--
Exception: stop
late
late: yes
done
