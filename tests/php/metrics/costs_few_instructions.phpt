--TEST--
A pair of lock() and unlock() takes few instructions more where the metrics count it
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('it runs valgrind itself');
find_program('valgrind') ?? die('skip there is no valgrind');
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../inc/instructions.inc';

$server = RedisServer::startAlone([], true);
$folder = new PrivateFolder();
$without = instructions_of_a_pair($server->tcpDsn(), ['stock:SKU0001'], ['-d', 'redislock.metrics=0']);
$with = instructions_of_a_pair($server->tcpDsn(), ['stock:SKU0001'], counts_in($folder->path));
tell_numbers("$with instructions, without metrics $without");
is_so('they count', metrics_in($folder->path)['machine']['groups']['stock']['acquired'] === 1700);
is_between('times as many', $with / $without, 1.0, 1.02);
?>
--EXPECT--
they count: yes
times as many: yes
