--TEST--
50 000 keyed operations whose answers come too late, or whose callers a signal handler takes away: no answer reaches another call
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
skip_under_valgrind('takes too long');
?>
--FILE--
<?php
require __DIR__ . '/mix_up.inc';

$server = RedisServer::start();
[$operations, $struck, $wrong, $thrown] = mix_up(
    $server,
    50000,
    ['read_timeout' => 0.02, 'connect_timeout' => 0.02],
    ['kill a connection' => 20, 'kill a process' => 1, 'signal a process' => 69, 'stop the server' => 10],
);
is_between('operations', $operations, 50000, PHP_INT_MAX);
is_between('stops of the server', $struck['stop the server'], 20, PHP_INT_MAX);
is_safe('wrong answers: 0', $wrong === [], [count($wrong), array_slice($wrong, 0, 5)]);
is_between('calls that were too late', count(preg_grep('/no answer in time|not made in time/', $thrown)), 5, PHP_INT_MAX);
is_between('calls that a handler ended', count(preg_grep('/the handler ended the call/', $thrown)), 20, PHP_INT_MAX);
?>
--EXPECT--
operations: yes
stops of the server: yes
wrong answers: 0: yes
calls that were too late: yes
calls that a handler ended: yes
