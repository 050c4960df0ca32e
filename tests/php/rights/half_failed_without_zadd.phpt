--TEST--
A user without ZADD: the right exception, and nothing of ours stays locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/half_failed.inc';

under_acl('-zadd');
?>
--EXPECT--
alone
  lock: true
  expire: true
  unlock: true
  free: at once
held by another
  lock: false
  lock, waiting: RedisLockServerException NOPERM
  the other still holds it: yes
  released: yes
  free: at once
with a waiter who has all rights
  lock: true
  it waits: yes
  unlock: true
  waiter: true, released: true
  free: at once
waiter whose rights were taken away
  it waits: yes
  unlock: true
  waiter has it, or is refused: yes
  free after a grace: yes
  the rest goes within seconds: yes
