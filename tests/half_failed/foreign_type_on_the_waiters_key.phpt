--TEST--
A foreign type on {K}:rl:wait: the right exception, and nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

with_foreign_side_key('wait');
?>
--EXPECT--

