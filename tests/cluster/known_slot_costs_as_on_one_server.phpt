--TEST--
A pair of lock() and unlock() at a known slot of a cluster takes the instructions that it takes on one server, and few more
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
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/instructions.inc';

$server = RedisServer::startAlone([], true);
$cluster = Cluster::start(masters: 3, replicas: 0);
$one = instructions_of_a_pair($server->tcpDsn(), ['SKU0001']);
foreach ($cluster->masters() as $n => $master) {
    $many = instructions_of_a_pair($cluster->dsn(), [$cluster->nameOn($master, 'SKU000')]);
    tell_numbers("a pair at master $n: $many instructions, on one server $one");
    is_between("at master $n, times as many", $many / $one, 0.95, 1.04);
}
?>
--EXPECT--
at master 0, times as many: yes
at master 1, times as many: yes
at master 2, times as many: yes
