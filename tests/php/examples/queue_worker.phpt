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
run_example('queue-worker/demo.php', 'workers: killed(, ended with 0)+\ndone: 60, .*\n');
?>
--EXPECT--
done
