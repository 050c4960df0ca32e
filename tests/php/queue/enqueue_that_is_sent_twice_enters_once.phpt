--TEST--
An enqueue() whose answer was lost is sent again, and enters nothing twice, also where a worker was faster
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
$redis = $server->client();
$direct = new RedisQueue($server->dsn());
$wire = new Wire($server);
$queue = new RedisQueue($wire->dsn());
$worker = QueueWorker::start($server->dsn());
$scripts = fn () => array_values(array_filter($wire->requestArgs(), fn ($args) => $args[0] === 'EVALSHA'));
$queue->enqueue('x', 'warm');
$direct->pop('x');

echo "a worker pops it before it is sent again:\n";
let_wait($redis, [$worker], 'pop', 'x', 1, 30);
$wire->forget();
$wire->loseReply('EVALSHA');
var_dump($queue->enqueue('x', 'order-1'));
echo $worker->answer()['result']['id'], ', then ', counts($direct, 'x'), "\n";
$requests = $scripts();
is_so('it was sent twice', count($requests) === 2 && $requests[0] === $requests[1]);

echo "a worker has reserved it:\n";
let_wait($redis, [$worker], 'reserve', 'x', 1, 30, 30);
$wire->loseReply('EVALSHA');
var_dump($queue->enqueue('x', 'order-2'));
$task = $worker->answer()['result'];
$direct->ack('x', $task['id'], $task['receipt']);
echo $task['id'], ', then ', counts($direct, 'x'), "\n";

echo "one of several scripts:\n";
let_wait($redis, [$worker], 'pop', 'x', 10000, 30);
$wire->loseReply('EVALSHA', skip: 1);
var_dump($queue->enqueue('x', range(1, 2500)));
$ids = array_column($worker->answer()['result'], 'id');
array_push($ids, ...array_column($direct->pop('x', 10000), 'id'));
is_so('all', count(array_unique($ids)) === 2500, count($ids));
is_safe('each once', count(array_unique($ids)) === count($ids), count($ids));

echo "those that stand keep their place:\n";
$wire->loseReply('EVALSHA');
var_dump($queue->enqueue('y', 'new', replace: false), $queue->enqueue('y', 'new', replace: false));

echo "one that arrives late does nothing:\n";
if ($server->login() !== '') {
    $redis->cmd('AUTH', ...explode(':', rtrim($server->login(), '@')));
}
thrown(fn () => $redis->cmd(...$requests[0])); // of a call that was over long ago
$wire->forget();
$queue->enqueue('x', 'order-3');
$direct->pop('x');
var_dump($redis->cmd(...$scripts()[0])); // of the last call
echo counts($direct, 'x'), "\n";

echo "nor does a call that entered nothing, nor does it hide the one before:\n";
$wire->forget();
$queue->enqueue('x', 'order-4');
$direct->pop('x');
$direct->enqueue('x', 'stands');
var_dump($queue->enqueue('x', 'stands', replace: false));
$direct->pop('x');
[$before, $nothing] = $scripts();
thrown(fn () => $redis->cmd(...$before));
var_dump($redis->cmd(...$nothing));
echo counts($direct, 'x'), "\n";
?>
--EXPECTF--
a worker pops it before it is sent again:
bool(true)
order-1, then nothing
it was sent twice: yes
a worker has reserved it:
bool(true)
order-2, then nothing
one of several scripts:
bool(true)
all: yes
each once: yes
those that stand keep their place:
bool(true)
bool(false)
one that arrives late does nothing:
%Sa later call of this client was carried out before%S
int(1)
nothing
nor does a call that entered nothing, nor does it hide the one before:
bool(false)
%Sa later call of this client was carried out before%S
int(0)
nothing
