--TEST--
A server that writes everything down is restarted again and again under 16 processes: each goes on by itself, never two hold
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/contend.inc';

$contest = new Contest(['appendonly yes', 'appendfsync always']);
is_between('sections', count($contest->leases), 100, PHP_INT_MAX);
is_between('restarts', count($contest->stood), 3, 20);
is_so('each process went on after each', array_sum($contest->stood) === 0, $contest->stood);
is_so('no call failed while the server was there', $contest->unexplainedFailures() === [], $contest->unexplainedFailures());
[$all] = $contest->overlaps();
is_safe('never two at once', $all === 0, $all);
tell_numbers('with persistence: ' . $contest->summary());
?>
--EXPECT--
sections: yes
restarts: yes
each process went on after each: yes
no call failed while the server was there: yes
never two at once: yes
