--TEST--
remember(): a value that would not come back equal is a ValueError, nothing is kept, and the lock is free
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

class Forgetful { public $a = 1; public function __sleep() { return []; } }
class Keeper { public $kept; }
class Refuses { public function __serialize(): array { throw new LogicException('never'); } }
class Wakes { public function __wakeup() { throw new LogicException('asleep'); } }
enum Suit { case Hearts; }

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$file = fopen('php://memory', 'r');
$keeper = new Keeper();
$keeper->kept = $file;
$forgetful = new Forgetful();
$forgetful->a = 2;
$values = [
    fn () => 1, $file, [[$file]], $keeper, $forgetful, new Refuses(), new Wakes(), new stdClass(), [new ArrayObject([new stdClass()])], Suit::Hearts,
    str_repeat('x', 1000000),
];
foreach ($values as $value) {
    $e = thrown(fn () => $lock->remember('k', fn () => $value, 60, allowedClasses: ['Forgetful', 'Keeper', 'Refuses', 'Wakes', 'ArrayObject']));
    echo $e->getPrevious() ? '  ' . get_class($e->getPrevious()) . ': ' . $e->getPrevious()->getMessage() . "\n" : '';
}
ini_set('serialize_precision', '3');
thrown(fn () => $lock->remember('k', fn () => ['pi' => M_PI], 60));
var_dump(all_keys($redis), $lock->held());
?>
--EXPECT--
ValueError: The value that $rebuild returned cannot be kept: PHP does not serialize it
  Exception: Serialization of 'Closure' is not allowed
ValueError: The value that $rebuild returned cannot be kept: it would not come back equal
ValueError: The value that $rebuild returned cannot be kept: it would not come back equal
ValueError: The value that $rebuild returned cannot be kept: it would not come back equal
ValueError: The value that $rebuild returned cannot be kept: it would not come back equal
ValueError: The value that $rebuild returned cannot be kept: PHP does not serialize it
  LogicException: never
ValueError: The value that $rebuild returned cannot be kept: PHP does not unserialize it again
  LogicException: asleep
ValueError: The value that $rebuild returned cannot be kept: it has an object of class stdClass, which $allowedClasses does not name
ValueError: The value that $rebuild returned cannot be kept: it has an object of class stdClass, which $allowedClasses does not name
ValueError: The value that $rebuild returned cannot be kept: it has an object of class Suit, which $allowedClasses does not name
ValueError: The value that $rebuild returned cannot be kept: it is longer than 1000000 bytes
ValueError: The value that $rebuild returned cannot be kept: it would not come back equal
array(0) {
}
array(0) {
}
