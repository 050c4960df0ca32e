--TEST--
With sentinels workers do not pass locks on to each other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../inc/sentinel.inc';

$set = SentinelSet::start();
$machine = new Machine($set->dsn(), $set->options);
check_off('sentinels', $machine, $machine->workers(2));
is_so('no segment is made', !file_exists($machine->segment()));
?>
--EXPECT--
sentinels: [true,true,true], none was passed on
    possible
no segment is made: yes
