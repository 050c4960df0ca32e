--TEST--
examples/cron: each report is written once, also when its first host fails or dies
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/run.inc';
run_example('cron/demo.php', '(.+: \d+\n)+');
?>
--EXPECT--
done
