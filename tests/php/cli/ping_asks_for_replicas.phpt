--TEST--
redislock ping asks for as many replicas as php.ini does: too few, and no lock can be had
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../replicas/replicated.inc';

$servers = new Replicated(1);
foreach ([1, 2] as $replicas) {
    $run = cli(['--server=' . $servers->server->dsn(), 'ping', '--json'], [], ["-dredislock.replicas=$replicas"]);
    echo $run->status, ' ', implode(preg_grep('/replicas within/', $run->json()['warnings'])), "\n";
}
?>
--EXPECTF--
1 
3 it cannot be locked on: the lock reached 1 of 2 replicas within %d ms; see docs/troubleshooting.md
