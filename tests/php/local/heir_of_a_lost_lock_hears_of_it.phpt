--TEST--
A worker that began with a lock that was lost knows so from the answer: nothing remains, isLocking() and unlock() are false
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
$wire = new Wire($server);
$machine = new Machine($wire->dsn(), ['read_timeout' => 20.0]);
$workers = $machine->workers(2);
$machine->warmUp($workers);
[$holder, $heir] = $workers;
$holder->call('lock', 'x');
$machine->lineUpFor([$heir], 'run', '
    $got = $lock->lock("x", 10.0);
    $remaining = $lock->remaining("x");
    for ($i = 0; $i < 2000 && $lock->remaining("x") > 0; $i++) {
        usleep(10000); // until the answer has come
    }
    return [$got, $remaining > 0, $lock->remaining("x"), $lock->held(), $lock->isLocking("x"), $lock->expire("x", 5.0), $lock->token("x"), $lock->unlock("x")];
');
$redis->cmd('DEL', 'lock:x');
$wire->delay(0.3);
$holder->begin('unlock', 'x');
echo json_encode($heir->answer()['result']), "\n";
var_dump($holder->answer()['result']);
print_r(all_keys($redis));
?>
--EXPECT--
[true,true,0,[],false,false,null,false]
bool(false)
Array
(
)
