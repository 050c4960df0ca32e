--TEST--
A destructor that runs at the request's end may still use its lock
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
foreach (['$a = new Stock($argv[1]);', 'class Keeper { static $a; } Keeper::$a = new Stock($argv[1]);'] as $create) {
    echo Worker::run('
        class Stock
        {
            private RedisLock $lock;
            public function __construct(string $server)
            {
                $this->lock = new RedisLock($server);
                $this->lock->lock("x");
            }
            public function __destruct()
            {
                var_dump($this->lock->isLocking("x"), $this->lock->unlock("x"));
                var_dump($this->lock->synchronized("y", fn () => "in a destructor"));
            }
        }
    ' . $create, [$server->dsn()]);
    var_dump(all_keys($server->client()));
}
?>
--EXPECT--
bool(true)
bool(true)
string(15) "in a destructor"
array(0) {
}
bool(true)
bool(true)
string(15) "in a destructor"
array(0) {
}
