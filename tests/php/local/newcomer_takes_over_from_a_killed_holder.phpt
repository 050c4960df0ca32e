--TEST--
Takeover: who comes when the holder was killed long ago has its lock at once, also if other processes have come and gone meanwhile
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
$machine = new Machine($server->dsn(), ['takeover' => true, 'fencing' => true]);

$holder = $machine->worker();
$holder->call('lock', 'x');
$fence = $holder->call('fence', 'x');
$holder->worker->kill();
$other = $machine->worker();
$other->call('lock', 'y');
$other->call('unlock', 'y');
$other->worker->kill();

$newcomer = $machine->worker();
echo 'not waiting: ', json_encode($newcomer->call('lock', 'x')), "\n";
$came = now();
echo 'waiting: ', json_encode($newcomer->call('lock', 'x', PATIENCE)), "\n";
took_between('seconds', now() - $came, 0.0, 1.0);
is_so('its fencing token is higher', $newcomer->call('fence', 'x') > $fence);
is_so('its lease is new', $newcomer->call('remaining', 'x') > LEASE - 5.0);
echo 'taken over: ', $newcomer->call('stats')['taken_over'], "\n";
var_dump($newcomer->call('unlock', 'x'), $redis->cmd('EXISTS', 'lock:x'));
?>
--EXPECT--
not waiting: false
waiting: true
seconds: yes
its fencing token is higher: yes
its lease is new: yes
taken over: 1
bool(true)
int(0)
