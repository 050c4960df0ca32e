--TEST--
A foreign type on {K}:rl:baton: the right exception, and nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

with_foreign_side_key('baton');
?>
--EXPECT--
alone
  lock: true
  expire: true
  unlock: true
  free: at once
held by another
  lock: false
  lock, waiting: false
  forceUnlock: true
  free: at once
with a waiter
  it waits: yes
  unlock: true
  waiter: true, released: true
  free: at once
