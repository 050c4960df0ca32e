--TEST--
Options: those of a connection, prefix and max_attempts; one server
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
$dsn = $server->dsn();

$queue = new RedisQueue([$dsn], ['prefix' => 'shop:', 'max_attempts' => '3', 'persistent' => false, 'connect_timeout' => 2, 'read_timeout' => '2', 'database' => null]);
$queue->enqueue('x', 'a');
print_r(all_keys($redis));
foreach (['expire', 'timeout', 'retry_interval', 'max_waiters', 'auto_release', 'fencing', 'node_timeout', 'replicas', 'nonsense'] as $option) {
    thrown(fn () => new RedisQueue($dsn, [$option => 1]));
}
thrown(fn () => new RedisQueue($dsn, ['max_attempts' => -1]));
thrown(fn () => new RedisQueue($dsn, ['max_attempts' => 'many']));
thrown(fn () => new RedisQueue([$dsn, 'redis://127.0.0.1:1']));
thrown(fn () => new RedisQueue([]));
thrown(fn () => new RedisQueue(5));
thrown(fn () => new RedisLock($dsn, ['max_attempts' => 1]));

putenv("ONE=$dsn");
echo ids((new RedisQueue('env:ONE', ['prefix' => 'shop:']))->pop('x', 2)), "\n";
putenv("TWO=$dsn redis://127.0.0.1:1");
$queue = new RedisQueue('env:TWO');
thrown(fn () => $queue->pop('x'));
$e = thrown(fn () => (new RedisQueue('env:NONE'))->pop('x'));
echo $e->queueName, ' ', $e->server, "\n";
?>
--EXPECTF--
Array
(
    [0] => shop:x
    [1] => {shop:x}:rq:call:%x
    [2] => {shop:x}:rq:wake
)
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "expire" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "timeout" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "retry_interval" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "max_waiters" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "auto_release" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "fencing" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "node_timeout" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "replicas" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "nonsense" is unknown
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "max_attempts" must be a whole number from 0 to 1000000000
TypeError: RedisQueue::__construct(): Argument #2 ($options) option "max_attempts" must be of type int, string given
ValueError: RedisQueue::__construct(): Argument #1 ($servers) must name one server: a queue is on one
ValueError: RedisQueue::__construct(): Argument #1 ($servers) must not be empty
TypeError: RedisQueue::__construct(): Argument #1 ($servers) must be of type array|string|null, int given
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_attempts" is unknown
'a'
ValueError: RedisQueue::__construct(): Argument #1 ($servers) must name one server, but the environment names several
RedisQueueConnectionException: env:NONE: the environment variable is not set (queue "x")
x env:NONE
