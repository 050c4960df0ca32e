--TEST--
holder() of a lock that was passed on tells since when its holder has it, not since when it waited
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$watch = new RedisLock($server->dsn());
$workers = $machine->workers(4);
$machine->warmUp($workers);
[$holder, $first, $stopped, $last] = $workers;
$holder->call('lock', 'x');
$machine->lineUpFor([$first, $stopped, $last], 'lock', 'x', PATIENCE);
usleep(300000);
foreach ([[$holder, $first], [$first, $last]] as [$from, $to]) {
    $to !== $last || $stopped->signal('STOP'); // it does not begin, so the one behind takes what it was passed
    $before = microtime(true);
    var_dump($from->call('unlock', 'x'), $to->answer()['result']);
    $after = microtime(true);
    is_between('since', $watch->holder('x')['since'], $before - 0.002, $after + 0.002);
    var_dump($to->call('isLocking', 'x'));
}
$stopped->worker->kill();
var_dump($last->call('unlock', 'x'));
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
since: yes
bool(true)
bool(true)
bool(true)
since: yes
bool(true)
bool(true)
Array
(
)
