--TEST--
Takeover: a lock whose token was told may be held elsewhere, so it is waited for until its lease ends
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
$machine = new Machine($server->dsn(), ['takeover' => true]);

$lease = slow(1.0);
$ways = [
    'token()' => ['$lock->lock("x", 0.0, %s)', '$lock->token("x") !== null'],
    'owner()' => ['$lock->lock("x", 0.0, %s)', '$lock->owner("x") !== null'],
    'detach()' => ['$lock->lock("x", 0.0, %s)', '$lock->detach("x") !== null'],
    'brought' => ['$lock->lock("x", 0.0, %s, "mine")', 'true'],
    'without an end' => ['$lock->lock("x", 0.0, %s)', '$lock->expire("x", INF)'],
];
foreach ($ways as $label => [$lock, $tell]) {
    [$holder, $waiter] = $machine->workers(2);
    echo "$label: ", json_encode($holder->call('run', 'return ' . sprintf($lock, $lease) . ';'));
    $taken = now();
    echo ', ', json_encode($holder->call('run', "return $tell;")), ', ';
    $holder->worker->kill();
    $waiter->begin('turn', 'x', $label === 'without an end' ? 2 * $lease : PATIENCE);
    $turn = $waiter->answer()['result'];
    took_between($turn['got'] ? 'got it, seconds' : 'busy, seconds', $turn['from'] - $taken, $lease - 0.2, PATIENCE);
    echo '    taken over: ', $waiter->call('stats')['taken_over'], "\n";
}
?>
--EXPECT--
token(): true, true, got it, seconds: yes
    taken over: 0
owner(): true, true, got it, seconds: yes
    taken over: 0
detach(): true, true, got it, seconds: yes
    taken over: 0
brought: true, true, got it, seconds: yes
    taken over: 0
without an end: true, true, busy, seconds: yes
    taken over: 0
