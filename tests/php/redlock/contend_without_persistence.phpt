--TEST--
16 processes on five servers that forget when they are killed, several within a section: two may hold, and the fence refuses the first
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

// What a majority forgets it gives away again: the documented limit.
$contest = new RingContest([], 0.1, 0.02);
is_between('sections', count($contest->leases), 100, PHP_INT_MAX);
is_so('of each process', count(array_unique(array_column($contest->leases, 3))) === 16);
is_between('the longest time without one', $contest->gap, 0.0, 5.0);
is_so('no call failed', $contest->failures === [], $contest->failures);
is_between('but few, for want of answers in time', $contest->late, 0, count($contest->leases) / 50);
is_between('waits in vain', $contest->inVain, 0, count($contest->leases) / 50);
echo "restarts, sections, overlaps, lost, unknown, refused: $contest->restarts, ", count($contest->leases), ', ', $contest->overlaps(), ", $contest->lost, $contest->unknown, ", $contest->refused(), "\n";
is_between('overlaps: there are some, the checker sees them', $contest->overlaps(), 1, PHP_INT_MAX);
is_so('no stale write was accepted', $contest->staleAccepted() === 0, $contest->staleAccepted());
is_so('fences grow', $contest->fencesThatFell() === 0, $contest->fencesThatFell());
tell_numbers('without persistence: ' . $contest->summary());
?>
--EXPECTF--
sections: yes
of each process: yes
the longest time without one: yes
no call failed: yes
but few, for want of answers in time: yes
waits in vain: yes
restarts, sections, overlaps, lost, unknown, refused: %d, %d, %d, %d, %d, %d
overlaps: there are some, the checker sees them: yes
no stale write was accepted: yes
fences grow: yes
