--TEST--
The checker of loads is strict: where the master itself forgets its locks, it finds that two hold, and no excuse
--CONFLICTS--
load
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/load.inc';

$load = new SentinelLoad('flushed', rounds: 5);
[$excused, $others] = $load->explained();
is_so('overlaps are found', $others !== []);
is_so('none is excused', $excused === [], $excused);
tell_numbers($load->summary());
?>
--EXPECT--
overlaps are found: yes
none is excused: yes
