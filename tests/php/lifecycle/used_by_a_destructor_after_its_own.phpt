--TEST--
A destructor may use a lock whose own end came first
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
echo Worker::run('
    class Late
    {
        public $other;
        public function __destruct()
        {
            // PHP has destroyed the lock object before, as far as an object can be that is still referred to.
            var_dump($this->other->lock->held(), $this->other->lock->lock("y"));
        }
    }
    class Holder { public $lock; public $late; }
    $a = new Holder();
    $a->lock = new RedisLock($argv[1]);
    $a->lock->lock("x");
    $a->late = new Late();
    $a->late->other = $a;
    unset($a);
', [$server->dsn()]);
var_dump(all_keys($server->client()));
?>
--EXPECTF--
array(%d) {%A}
bool(true)
array(0) {
}
