--TEST--
All rows: an old class that an autoloader brings is not asked for any more: ours takes its place in silence
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
spl_autoload_register(function (string $class) {
    echo "asked for $class\n";
    require __DIR__ . '/global_class.inc';
});

$lock = new RedisLock();
echo (new ReflectionClass($lock))->isInternal() ? 'the extension' : 'the old class', "\n";
?>
--EXPECT--
the extension
