--TEST--
On a Cluster workers do not pass locks on to each other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../inc/cluster.inc';

$cluster = Cluster::start(1, 0);
$machine = new Machine($cluster->dsn());
check_off('cluster', $machine, $machine->workers(2));
is_so('no segment is made', !file_exists($machine->segment()));
?>
--EXPECT--
cluster: [true,true,true], none was passed on
    possible
no segment is made: yes
