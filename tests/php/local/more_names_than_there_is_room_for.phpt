--TEST--
More names at once than the segment has room for, and names that are too long for it: the others wait in the line of Redis
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

const NAMES = 400;
[$holder, $first, $second, $third] = $machine->workers(4);
$long = str_repeat('long', 100);
var_dump($holder->call('run', 'for ($i = 0; $i < ' . NAMES . '; $i++) { $lock->lock("n$i") || exit("REFUSED"); } return $lock->lock("' . $long . '");'));
$names = ['n0', 'n' . NAMES - 1, $long];
foreach ([$first, $second, $third] as $i => $worker) {
    $worker->begin('turn', $names[$i], 20.0);
}
wait_until(fn () => $machine->waiting() + blocked($redis) === 3);
is_so('the long one waits in Redis', blocked($redis) >= 1);
var_dump($holder->call('run', 'for ($i = 0; $i < ' . NAMES . '; $i++) { $lock->unlock("n$i") || exit("LOST"); } return $lock->unlock("' . $long . '");'));
foreach ([$first, $second, $third] as $worker) {
    var_dump($worker->answer()['result']['released']);
}
print_r(all_keys($redis));
// There is room again.
$machine->warmUp([$holder, $first]);
is_so('it is passed on', passed_on([$holder]) >= 1);
?>
--EXPECT--
bool(true)
the long one waits in Redis: yes
bool(true)
bool(true)
bool(true)
bool(true)
Array
(
)
it is passed on: yes
