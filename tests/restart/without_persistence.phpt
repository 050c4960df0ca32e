--TEST--
A server without persistence is restarted three times under 16 processes: each goes on by itself; only across a restart two may hold
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/contend.inc';

$contest = new Contest([]);
is_between('sections', count($contest->leases), 100, PHP_INT_MAX);
foreach ($contest->stood as $processes) {
    is_so('each process went on', $processes === 0, $processes);
}
is_so('no call failed while the server was there', $contest->unexplainedFailures() === [], $contest->unexplainedFailures());
// What a server forgets it gives away again: the documented limit. A fence, or persistence, is the answer.
[$all, $unexplained] = $contest->overlaps();
is_safe('no overlap but across a restart', $unexplained === 0, $unexplained);
is_between('of those there are some: the checker sees them', $all, 1, PHP_INT_MAX);
?>
--EXPECT--
sections: yes
each process went on: yes
each process went on: yes
each process went on: yes
no call failed while the server was there: yes
no overlap but across a restart: yes
of those there are some: the checker sees them: yes
