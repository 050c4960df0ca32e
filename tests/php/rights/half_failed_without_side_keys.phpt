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
alone
  lock: RedisLockServerException NOPERM
  expire: false
  unlock: false
  free: at once
held by another
  lock: RedisLockServerException NOPERM
  lock, waiting: RedisLockServerException NOPERM
  the other still holds it: yes
  released: yes
  free: at once
with a waiter who has all rights
  lock: RedisLockServerException NOPERM
  free: at once
waiter whose rights were taken away
  it waits: yes
  unlock: true
  waiter has it, or is refused: yes
  free after a grace: yes
  the rest goes within seconds: yes
