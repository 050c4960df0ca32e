--TEST--
A server without persistence is restarted again and again under 16 processes: each goes on by itself; only across a restart two may hold
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

$contest = new Contest([]);
is_between('sections', count($contest->leases), 100, PHP_INT_MAX);
is_between('restarts', count($contest->stood), 3, 20);
is_so('each process went on after each', array_sum($contest->stood) === 0, $contest->stood);
is_so('no call failed while the server was there', $contest->unexplainedFailures() === [], $contest->unexplainedFailures());
// What a server forgets it gives away again: the documented limit. A fence, or persistence, is the answer.
[$all, $unexplained] = $contest->overlaps();
is_safe('no overlap but across a restart', $unexplained === 0, $unexplained);
is_between('of those there are some: the checker sees them', $all, 1, PHP_INT_MAX);
tell_numbers('without persistence: ' . $contest->summary());
?>
--EXPECT--
sections: yes
restarts: yes
each process went on after each: yes
no call failed while the server was there: yes
no overlap but across a restart: yes
of those there are some: the checker sees them: yes
