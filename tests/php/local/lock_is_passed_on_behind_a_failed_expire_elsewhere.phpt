--TEST--
An expire() that had no answer keeps its own lock from being passed on, and no other lock of the process
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
$machine = new Machine($server->dsn());
$workers = $machine->workers(2, ['read_timeout' => 0.2]);
[$holder, $waiter] = $workers;
$machine->warmUp($workers);

$lost = 'try { $lock->expire("x", 30.0); } catch (RedisLockConnectionException $e) { return "no answer"; }';
foreach (['the same lock' => true, 'another one, later' => false] as $label => $is_lost) {
    $before = passed_on($workers);
    $holder->call('lock', 'x', PATIENCE);
    if ($is_lost) {
        $server->pause();
        echo $holder->call('run', $lost), "\n";
        $server->resume();
    }
    $machine->lineUp([$waiter], 'x', PATIENCE);
    echo "$label: ", json_encode($holder->call('unlock', 'x'));
    echo ', ', json_encode($waiter->answer()['result']['released']), ', passed on ', passed_on($workers) - $before, "\n";
}
?>
--EXPECT--
no answer
the same lock: true, true, passed on 0
another one, later: true, true, passed on 1
