--TEST--
examples/queue-worker: no two imports of a customer overlap, also when a worker dies or is asked to end
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix', 'pdo_sqlite');
?>
--FILE--
<?php
require __DIR__ . '/run.inc';
// An import of which a busy machine makes more than its lease is done again.
run_example('queue-worker/demo.php', '(.*the lock was lost before the section was over: .*\n)*workers: killed(, ended with 0)+\ndone: 60, .*\n');
?>
--EXPECT--
done
