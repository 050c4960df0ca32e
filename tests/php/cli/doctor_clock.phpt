--TEST--
redislock doctor: a server's clock against this machine's, and those of several servers against one another
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

servers_have_clocks();
[$first, $second, $third] = array_map(fn () => RedisServer::start(HEALTHY), range(1, 3));
$first->setClock(30);
diagnose('30 s ahead', $first->dsn());
$first->setClock(-3600);
diagnose('an hour behind', $first->dsn());
$first->setClock(-0.6);
$said = diagnose('less than a second', $first->dsn());
$offset = $said['servers'][$first->address()]['clock_offset'];
is_so('measured', abs($offset + 0.6) < slow(0.05), $offset);
$first->setClock(-0.7);
$third->setClock(0.7);
diagnose('apart by more than each is from here', implode(' ', array_map(fn ($server) => $server->dsn(), [$first, $second, $third])));
?>
--EXPECT--
30 s ahead => 1
  the status is that of the exit: yes
  warning, clock: its clock is 30 s ahead of this machine's: leases do not care, but one of the two is not kept in time: when the server's is set in one step, leases end earlier or later by that; keep the clocks of all of them with chrony
an hour behind => 1
  the status is that of the exit: yes
  warning, clock: its clock is 3600 s behind this machine's: leases do not care, but one of the two is not kept in time: when the server's is set in one step, leases end earlier or later by that; keep the clocks of all of them with chrony
less than a second => 0
  the status is that of the exit: yes
  note, clock: its clock is 0.6 s behind this machine's: leases do not care, but one of the two is not kept in time: when the server's is set in one step, leases end earlier or later by that; keep the clocks of all of them with chrony
measured: yes
apart by more than each is from here => 1
  the status is that of the exit: yes
  warning, clock: the clock of unix://… is 1.4 s ahead of that of unix://…: if servers lose their data, fences may go back by that; keep the clocks of all of them with chrony
  note, clock at 1: its clock is 0.7 s behind this machine's: leases do not care, but one of the two is not kept in time: when the server's is set in one step, leases end earlier or later by that; keep the clocks of all of them with chrony
  note, clock at 1: its clock is 0.7 s ahead of this machine's: leases do not care, but one of the two is not kept in time: when the server's is set in one step, leases end earlier or later by that; keep the clocks of all of them with chrony
