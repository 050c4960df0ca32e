--TEST--
A user without GET, who may not release a lock, does not get one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

under_acl('-get');
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
