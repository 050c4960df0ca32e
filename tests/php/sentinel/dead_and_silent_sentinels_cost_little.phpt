--TEST--
A sentinel that is dead or silent costs nothing while most answer, and half of the time to connect at most if they do not
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(replicas: 0);
$takes = function (string $label, float $low, float $high) use ($set): void {
    $lock = new RedisLock($set->dsn(), ['connect_timeout' => 3.0, 'persistent' => false] + $set->options);
    $start = now();
    is_so("$label: locks", $lock->lock('x'));
    took_between("$label: seconds", now() - $start, $low, $high);
    $lock->unlock('x');
};
$takes('all answer', 0, 0.1);
$set->sentinels[0]->pause();
$takes('the first is silent', 0, 0.1);
$set->sentinels[1]->kill();
$takes('and the second is dead', 0, 1.6);
$set->sentinels[0]->resume();
$set->sentinels[2]->pause();
$takes('the last is silent', 0, 1.6);
?>
--EXPECT--
all answer: locks: yes
all answer: seconds: yes
the first is silent: locks: yes
the first is silent: seconds: yes
and the second is dead: locks: yes
and the second is dead: seconds: yes
the last is silent: locks: yes
the last is silent: seconds: yes
