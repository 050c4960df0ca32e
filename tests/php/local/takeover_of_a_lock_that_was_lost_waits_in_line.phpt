--TEST--
Takeover: a killed holder whose lock was deleted, forced or taken meanwhile: the next one gets the lock when it is free
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
$machine = new Machine($server->dsn(), ['takeover' => true]);
$elsewhere = new RedisLock($server->dsn());

$ways = [
    'deleted' => fn () => $redis->cmd('DEL', 'lock:x'),
    'forced' => fn () => $elsewhere->forceUnlock('x'),
    'taken' => fn () => $redis->cmd('SET', 'lock:x', 'another', 'PX', (string) (1000 * slow(0.5))),
];
foreach ($ways as $label => $lose) {
    [$holder, $waiter] = $machine->workers(2);
    $machine->warmUp([$holder, $waiter]);
    $holder->call('lock', 'x');
    $machine->lineUp([$waiter], 'x', PATIENCE);
    $holder->signal('STOP');
    $lose();
    $lost = now();
    $holder->worker->kill();
    echo $label, "\n";
    $turn = check_turns([$waiter])[0]['result'];
    took_between('    seconds', $turn['from'] - $lost, $label === 'taken' ? slow(0.5) - 0.1 : 0.0, slow(0.5) + 1.0);
    echo '    taken over: ', $waiter->call('stats')['taken_over'], ', keys: ', json_encode(all_keys($redis)), "\n";
}
?>
--EXPECT--
deleted
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 0, keys: []
forced
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 0, keys: []
taken
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
    seconds: yes
    taken over: 0, keys: []
