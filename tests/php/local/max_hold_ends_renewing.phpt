--TEST--
max_hold counts from when a lock was passed on, and then its lease is no longer renewed
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../renew/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(2, ['renew' => true, 'max_hold' => lease(1.0)], 'set_error_handler(fn () => true);');
[$holder, $heir] = $workers;
$holder->call('lock', 'x', 0.0, lease(0.6));
$machine->lineUpFor([$heir], 'lock', 'x', PATIENCE, lease(0.6));
usleep((int) (1e6 * lease(0.7)));
$holder->call('unlock', 'x');
$began = $heir->answer()['ended'];
is_so('it was passed on', passed_on($workers) === 1);
wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0);
took_between('seconds until the lease was over', now() - $began, lease(0.9), lease(1.0) + lease(0.6) + 0.1);
var_dump($heir->call('unlock', 'x'));
?>
--EXPECT--
it was passed on: yes
seconds until the lease was over: yes
bool(false)
