--TEST--
One task or false where one is asked for, else a list, in the order of arrival
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$queue = new RedisQueue($server->dsn());

foreach (['pop', 'top', 'reserve'] as $method) {
    var_dump($queue->$method($method), $queue->$method($method, 3));
    $queue->enqueue($method, 'a');
    $queue->enqueue($method, ['c', 'b']);
    echo $method, ': ', ids($queue->$method($method, 2)), "\n";
    $queue->enqueue($method, 'last');
    $task = $queue->$method($method);
    echo implode(' ', array_map(fn ($key) => "$key: " . get_debug_type($task[$key]), array_keys($task))), "\n";
}
print_r($queue->stats('pop'));
?>
--EXPECT--
bool(false)
array(0) {
}
pop: 'a' 'c'
id: string score: float
bool(false)
array(0) {
}
top: 'a' 'c'
id: string score: float
bool(false)
array(0) {
}
reserve: 'a' 'c'
id: string score: float attempts: int receipt: string
Array
(
    [due] => 1
    [delayed] => 0
    [reserved] => 0
    [dead] => 0
)
