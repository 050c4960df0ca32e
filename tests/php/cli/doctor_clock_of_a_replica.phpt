--TEST--
redislock doctor: the clock of a replica, by which leases end after a failover to it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../inc/clock.inc';
skip_without_clocks();
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';
require __DIR__ . '/../inc/clock.inc';
require __DIR__ . '/../inc/sentinel.inc';

servers_have_clocks();
$set = SentinelSet::start(replicas: 2, config: [...HEALTHY, 'min-replicas-to-write 1', 'min-replicas-max-lag 10']);
$replicas = $set->others($set->master());
$replicas[0]->setClock(5);
diagnose('ahead', $set->dsn());
$replicas[0]->setClock(0);
$replicas[1]->setClock(-5);
diagnose('behind', $set->dsn());
?>
--EXPECT--
ahead => 1
  the status is that of the exit: yes
  warning, clock: the clock of its replica HOST:PORT is 5.0 s ahead of its own: after a failover to it leases end by that earlier, and somebody else may have the lock while its holder believes in it; keep the clocks of all of them with chrony
  note, replicas: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
behind => 1
  the status is that of the exit: yes
  warning, clock: the clock of its replica HOST:PORT is 5.0 s behind its own: after a failover to it leases end by that later, so the lock of a killed holder stays for longer; keep the clocks of all of them with chrony
  note, replicas: it has replicas: a lock that had not reached the one that takes over can be had twice; use the option replicas, or fences
