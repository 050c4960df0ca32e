--TEST--
examples/long-jobs: jobs that are longer than their lease do not overlap, and a worker that is killed is replaced
--DESCRIPTION--
Takes long. Leaves memory to PHP's allocator.
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
run_example(
    'long-jobs/demo.php',
    '4 jobs of 4 s were done with a lease of 3 s, 0 overlapped\n1 worker was killed in its job: .* \d+\.\d s later\n',
);
?>
--EXPECT--
done
