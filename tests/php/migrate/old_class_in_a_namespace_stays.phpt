--TEST--
All rows: an old class in a namespace of its own stays what it is, until the callers import ours
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/namespaced_class.inc';

(function () {
    eval('namespace Shop; echo (new RedisLock())->lock("SKU0001"), "\n";');
    eval('namespace Shop; use RedisLock; echo get_class(new RedisLock()), "\n";');
})();
?>
--EXPECT--
the old class
RedisLock
