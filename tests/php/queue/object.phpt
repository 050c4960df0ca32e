--TEST--
Not to be cloned or serialized; a subclass must call the constructor; nothing secret is shown
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
$queue = new RedisQueue($server->dsn(), ['password' => null]);
thrown(fn () => clone $queue);
thrown(fn () => serialize($queue));
thrown(fn () => $queue->property = 1);
thrown(fn () => $queue->__construct());

class Forgetful extends RedisQueue
{
    public function __construct()
    {
    }
}
foreach (['stats', 'pop', 'top', 'reserve', 'dead', 'requeue'] as $method) {
    thrown(fn () => (new Forgetful())->$method('x'));
}
thrown(fn () => (new Forgetful())->enqueue('x', 1));
thrown(fn () => (new Forgetful())->dequeue('x', 1, 1));
thrown(fn () => (new Forgetful())->ack('x', 1, 'r'));

$secret = new RedisQueue('redis://alice:s3cret@127.0.0.1:1', ['prefix' => 'x']);
has_no_secret('dump', shown($secret) . shown(thrown(fn () => $secret->pop('x'))), 's3cret', 'alice');
has_no_secret('argument', shown(thrown(fn () => new RedisQueue('redis://alice:s3cret@', ['password' => 's3cret', 'nonsense' => 1]))), 's3cret');
?>
--EXPECTF--
Error: Trying to clone an uncloneable object of class RedisQueue
Exception: Serialization of 'RedisQueue' is not allowed
Error: Cannot create dynamic property RedisQueue::$property
Error: RedisQueue is already constructed
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
Error: Forgetful::__construct() was not called: a subclass must call parent::__construct()
RedisQueueConnectionException: redis://127.0.0.1:1/0: Connection refused (queue "x")
dump: no secret
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "nonsense" is unknown
argument: no secret
