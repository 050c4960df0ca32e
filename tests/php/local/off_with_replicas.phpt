--TEST--
With the option replicas workers do not pass locks on to each other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../replicas/replicated.inc';

$replicated = new Replicated(1);
$machine = new Machine($replicated->server->tcpDsn());
check_off('one replica', $machine, $machine->workers(2, ['replicas' => 1, 'read_timeout' => 20.0]));
is_so('no segment is made', !file_exists($machine->segment()));
?>
--EXPECT--
one replica: [true,true,true], none was passed on
    possible
no segment is made: yes
