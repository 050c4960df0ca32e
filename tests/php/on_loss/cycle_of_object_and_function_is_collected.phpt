--TEST--
A function that refers to the object is no leak: the garbage collector finds the cycle
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
class SubLock extends RedisLock
{
    public array $more = [];
}

foreach ([RedisLock::class, SubLock::class] as $class) {
    $holder = new stdClass();
    $holder->lock = new $class($server->dsn(), ['on_loss' => function () use ($holder) {
    }]);
    if ($class === SubLock::class) {
        $holder->lock->more[] = $holder;
    }
    $holder->lock->lock('x');
    $lock = WeakReference::create($holder->lock);
    unset($holder);
    var_dump($lock->get() !== null);
    is_so('collected', gc_collect_cycles() > 0);
    var_dump($lock->get(), (new RedisLock($server->dsn()))->owner('x'));
}
?>
--EXPECT--
bool(true)
collected: yes
NULL
NULL
bool(true)
collected: yes
NULL
NULL
