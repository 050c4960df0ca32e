--TEST--
A user without any command of sorted sets: the right exception, and nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

under_acl('-@sortedset');
?>
--EXPECT--

