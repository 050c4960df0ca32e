--TEST--
A server that writes everything down is restarted three times under 16 processes: each goes on by itself, never two hold
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
foreach ($contest->stood as $processes) {
    is_so('each process went on', $processes === 0, $processes);
}
is_so('no call failed while the server was there', $contest->unexplainedFailures() === [], $contest->unexplainedFailures());
[$all] = $contest->overlaps();
is_safe('never two at once', $all === 0, $all);
?>
--EXPECT--
sections: yes
each process went on: yes
each process went on: yes
each process went on: yes
no call failed while the server was there: yes
never two at once: yes
