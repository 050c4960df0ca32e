--TEST--
A section that is a generator function is refused before anything is locked: its body would run after the release
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

function numbers() { echo "RUNS\n"; yield 1; }
class Sections
{
    public function each() { yield 1; }
    public static function all() { yield 1; }
    public function __invoke() { yield from []; }
}

$lock = new RedisLock('redis://127.0.0.1:1'); // nothing is sent
foreach (['numbers', function () { yield; }, [new Sections(), 'each'], 'Sections::all', new Sections(), numbers(...)] as $section) {
    thrown(fn () => $lock->synchronized('x', $section));
}
thrown(fn () => $lock->remember('x', 'numbers', 60));
thrown(fn () => $lock->once('x', 'numbers', fn () => 1));
thrown(fn () => $lock->once('x', fn () => 1, 'numbers'));
?>
--EXPECT--
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::synchronized(): Argument #2 ($section) must not be a generator function: its body would run after the release
ValueError: RedisLock::remember(): Argument #2 ($rebuild) must not be a generator function: its body would run after the release
ValueError: RedisLock::once(): Argument #2 ($read) must not be a generator function: its body would run after the release
ValueError: RedisLock::once(): Argument #3 ($rebuild) must not be a generator function: its body would run after the release
