--TEST--
waiters() and holder() count the waiters of this machine, and one of each other machine
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
$elsewhere = new Machine($server->dsn());

$workers = $machine->workers(4);
$others = $elsewhere->workers(2);
$workers[0]->call('lock', 'x');
$machine->lineUp([$workers[1], $workers[2]], 'x', PATIENCE);
$others[0]->begin('turn', 'x', PATIENCE);
wait_until(fn () => blocked($redis) === 1);
$elsewhere->lineUp([$others[1]], 'x', PATIENCE);

$count = 'return [$lock->waiters("x"), $lock->holder("x")["waiters"]];';
echo 'here: ', json_encode($workers[3]->call('run', $count)), "\n";
$plain = new RedisLock($server->dsn());
echo 'without local turns: ', json_encode([$plain->waiters('x'), $plain->holder('x')['waiters']]), "\n";
var_dump($workers[0]->call('unlock', 'x'));
foreach ([$workers[1], $workers[2], ...$others] as $waiter) {
    echo json_encode($waiter->answer()['result']['released']), "\n";
}
echo 'nobody: ', json_encode($workers[3]->call('run', 'return $lock->waiters("x");')), "\n";
?>
--EXPECT--
here: [3,3]
without local turns: [1,1]
bool(true)
true
true
true
true
nobody: 0
