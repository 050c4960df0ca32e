--TEST--
16 processes on five servers that write everything down, one of which at a time is killed: never two at once, and on it goes
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/contend.inc';

$contest = new RingContest(['appendonly yes', 'appendfsync always'], 0.7, 0.3);
is_between('servers were restarted', $contest->restarts, 3, PHP_INT_MAX);
is_between('sections', count($contest->leases), 100, PHP_INT_MAX);
is_so('of each process', count(array_unique(array_column($contest->leases, 3))) === 16);
is_between('the longest time without one', $contest->gap, 0.0, 5.0);
is_so('no call failed', $contest->failures === [], $contest->failures);
is_between('but few, for want of answers in time', $contest->late, 0, count($contest->leases) / 50);
is_between('waits in vain', $contest->inVain, 0, count($contest->leases) / 50);
is_safe('never two at once', $contest->overlaps() === 0, $contest->overlaps());
is_so('never lost', $contest->lost === 0, $contest->lost);
is_between('releases of which nobody knows', $contest->unknown, 0, $contest->restarts * 3);
is_so('fences grow', $contest->fencesThatFell() === 0, $contest->fencesThatFell());
is_so('none was refused', $contest->refused() === 0, $contest->refused());
tell_numbers('with persistence: ' . $contest->summary());
?>
--EXPECT--
servers were restarted: yes
sections: yes
of each process: yes
the longest time without one: yes
no call failed: yes
but few, for want of answers in time: yes
waits in vain: yes
never two at once: yes
never lost: yes
releases of which nobody knows: yes
fences grow: yes
none was refused: yes
