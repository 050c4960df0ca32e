--TEST--
All rows: the old global class of the same name must go first; a file that declares it is a fatal error
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('PHP itself leaks what it was compiling when this error comes');
?>
--FILE--
<?php
try {
    require __DIR__ . '/global_class.inc';
} finally {
    echo "not reached\n";
}
?>
--EXPECTF--
Fatal error: Cannot %Sdeclare class RedisLock%S in %sglobal_class.inc on line %d
