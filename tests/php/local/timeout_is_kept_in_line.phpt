--TEST--
The timeout of a worker that stands in line here is kept, however many stand there
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

$workers = $machine->workers(9);
$holder = array_pop($workers);
$machine->warmUp([$holder, ...$workers]);
$holder->call('lock', 'x');
$early = $late = [];
foreach ($workers as $i => $worker) {
    $worker->begin('lock', 'x', 0.2 + 0.15 * (($i * 5) % 8));
}
foreach ($workers as $i => $worker) {
    $answer = $worker->answer();
    if ($answer['result'] !== false) {
        echo 'NOT REFUSED: ', json_encode($answer), "\n";
    }
    $late[] = 1000 * ($answer['ended'] - $answer['began'] - (0.2 + 0.15 * (($i * 5) % 8)));
}
is_between('ms past the timeout, at least', min($late), -1, PHP_INT_MAX);
ms_between('ms past the timeout, at most', max($late), -1, 50);
var_dump($machine->waiting(), $holder->call('unlock', 'x'));
is_so('none was passed on', passed_on([$holder]) === 1, passed_on([$holder]));
print_r(all_keys($redis));
?>
--EXPECT--
ms past the timeout, at least: yes
ms past the timeout, at most: yes
int(0)
bool(true)
none was passed on: yes
Array
(
)
