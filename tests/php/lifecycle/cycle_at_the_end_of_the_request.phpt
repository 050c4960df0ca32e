--TEST--
An object in a cycle that nobody collects releases at the request's end
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
foreach (['true', '"request"'] as $auto_release) {
    foreach (['', 'gc_disable();', 'trigger_error("the end", E_USER_ERROR);'] as $end) {
        Worker::run('
            $node = new stdClass();
            $node->lock = new RedisLock($argv[1], ["auto_release" => ' . $auto_release . ']);
            $node->self = $node;
            $node->lock->lock("x");
            unset($node);
        ' . $end, [$server->dsn()]);
        var_dump(all_keys($server->client()) === []);
    }
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
