--TEST--
With several servers workers do not pass locks on to each other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$machine = new Machine(implode(',', array_map(fn ($server) => $server->dsn(), $servers)));
$workers = Remote::startMany(2, $servers[0]->dsn(), ['local' => true], '$argv[1] = ' . var_export(array_map(fn ($server) => $server->dsn(), $servers), true) . ';', $machine->php());
check_off('three servers', $machine, $workers);
is_so('no segment is made', !file_exists($machine->segment()));
?>
--EXPECT--
three servers: [true,true,true], none was passed on
    possible
no segment is made: yes
