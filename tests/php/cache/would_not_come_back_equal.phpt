--TEST--
remember(): a value that would not come back equal is returned with a warning, nothing is kept, and the lock is free
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
@eval('class Old implements Serializable { public function serialize() { return "i:1;"; } public function unserialize($text) {} }'); // deprecated
enum Suit { case Hearts; }

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$file = fopen('php://memory', 'r');
$keeper = new Keeper();
$keeper->kept = $file;
$forgetful = new Forgetful();
$forgetful->a = 2;
// Not much more than 4096: in a PHP for debugging, serialize() itself has no stack left for 5000.
for ($deep = [], $i = 0; $i < 4200; $i++) {
    $deep = [$deep];
}
set_error_handler(function (int $level, string $message) {
    echo "level $level: $message\n";
    return true;
});
$values = [
    fn () => 1, $file, [[$file]], $keeper, $forgetful, new Refuses(), new Wakes(), new stdClass(), [new ArrayObject([new stdClass()])], Suit::Hearts,
    [new Old()], str_repeat('x', 1000001), $deep,
];
foreach ($values as $value) {
    is_so('the value', $lock->remember('k', fn () => $value, 60, allowedClasses: ['Forgetful', 'Keeper', 'Refuses', 'Wakes', 'ArrayObject', 'Old']) === $value);
}
ini_set('serialize_precision', '3');
is_so('the value', $lock->remember('k', fn () => ['pi' => M_PI], 60) === ['pi' => M_PI]);
var_dump(all_keys($redis), $lock->held());

// Where a handler makes an exception of the warning, the value is there all the same.
ini_set('error_log', '/dev/null');
set_error_handler(fn ($level, $message) => throw new ErrorException($message));
var_dump($lock->remember('k', fn () => new stdClass(), 60));
?>
--EXPECTF--
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: PHP cannot serialize it: Serialization of 'Closure' is not allowed (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: PHP cannot serialize it: never (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: PHP cannot unserialize it: asleep (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it has an object of class stdClass, which $allowedClasses does not name (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it has an object of class stdClass, which $allowedClasses does not name (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it has an object of class Suit, which $allowedClasses does not name (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it has an object of class Old, which has no __serialize() and __unserialize() (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it is longer than 1000000 bytes (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it is nested more than 4096 deep (lock "k")
the value: yes
level 2: RedisLock::remember(): unix://%s: the value that $rebuild returned is not kept: it would not come back equal (lock "k")
the value: yes
array(0) {
}
array(0) {
}
object(stdClass)#%d (0) {
}
