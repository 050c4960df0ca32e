--TEST--
A user who may use the lock's key but not those beside it: the right exception, nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

under_acl('resetkeys ~lock:*');
?>
--EXPECT--

