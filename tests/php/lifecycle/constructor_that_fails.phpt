--TEST--
A constructor that throws leaves an object that gives Errors, and no leak
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

foreach ([['nonsense', []], ['redis://127.0.0.1', ['prefix' => 'p:', 'password' => 's3cret', 'unknown' => 1]], ['env:', []]] as [$server, $options]) {
    $lock = (new ReflectionClass('RedisLock'))->newInstanceWithoutConstructor();
    try {
        $lock->__construct($server, $options);
        echo "constructed\n";
    } catch (ValueError) {
        thrown(fn () => $lock->lock('x'));
    }
}
// It may be constructed after that.
$lock->__construct('redis://127.0.0.1:1');
var_dump($lock->held());
?>
--EXPECTF--
Error: %s
Error: %s
Error: %s
array(0) {
}
