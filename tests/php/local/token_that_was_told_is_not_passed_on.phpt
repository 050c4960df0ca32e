--TEST--
A lock whose token was told, or brought by the caller, is released and not passed on; the next one goes on
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

$workers = $machine->workers(3);
[$holder, $waiter, $other] = $workers;
$ways = [
    'nothing told' => ['$lock->lock("x")', '$lock->unlock("x")'],
    'token()' => ['$lock->lock("x") && $lock->token("x")', '$lock->unlock("x")'],
    'brought' => ['$lock->lock("x", 0.0, 30.0, "mine")', '$lock->unlock("x")'],
    'brought to unlock()' => ['$lock->lock("x", 0.0, 30.0, "mine")', '$lock->unlock("x", "mine")'],
    'detach()' => ['$lock->lock("x")', '($token = $lock->detach("x")) !== null && $lock->attach("x", $token) && $lock->unlock("x")'],
];
foreach ($ways as $label => [$lock, $unlock]) {
    $before = passed_on($workers);
    $holder->call('run', "return $lock;");
    if ($label === 'brought' || $label === 'brought to unlock()') {
        $waiter->begin('turn', 'x', PATIENCE);
        wait_until(fn () => blocked($redis) + $machine->waiting() === 1);
    } else {
        $machine->lineUp([$waiter], 'x', PATIENCE);
    }
    echo "$label: ", json_encode($holder->call('run', "return $unlock;"));
    echo ', ', json_encode($waiter->answer()['result']['released']), ', passed on ', passed_on($workers) - $before, "\n";
}
print_r(all_keys($redis));
?>
--EXPECT--
nothing told: true, true, passed on 1
token(): true, true, passed on 0
brought: true, true, passed on 0
brought to unlock(): true, true, passed on 0
detach(): true, true, passed on 0
Array
(
)
