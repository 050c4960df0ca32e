--TEST--
A user without PEXPIRE: the right exception, and nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

under_acl('-pexpire');
?>
--EXPECT--

