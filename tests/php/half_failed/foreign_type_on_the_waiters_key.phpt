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
alone
  lock: true
  expire: true
  unlock: RedisLockServerException WRONGTYPE
  free: at once
held by another
  lock: false
  lock, waiting: RedisLockServerException WRONGTYPE
  forceUnlock: RedisLockServerException WRONGTYPE
  free: at once
with a waiter
  it waits: yes
  unlock: RedisLockServerException WRONGTYPE
  waiter: RedisLockServerException WRONGTYPE, released: true
  free: at once
