--TEST--
No loss is told while workers pass on a lock with short leases that are renewed and watched
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

$code = '
    $lock = new RedisLock($argv[1], ["renew" => true, "on_loss" => "throw"]);
    $turns = 0;
    $until = hrtime(true) + (int) (1e9 * $argv[3]);
    while (hrtime(true) < $until) {
        if (!$lock->lock("x", 20.0, (float) $argv[2])) {
            exit("NOT ACQUIRED\n");
        }
        usleep(++$turns % 40 === 0 ? (int) (1.5e6 * $argv[2]) : random_int(0, 2000));
        if (!$lock->unlock("x")) {
            exit("LOST\n");
        }
    }
    echo json_encode([$turns, RedisLock::stats()["passed_on"], RedisLock::stats()["renewed"], RedisLock::stats()["lost_while_held"]]), "\n";
';
$workers = array_map(fn () => $machine->run($code, [lease(0.4), slow(2.5)]), range(1, 4));
$said = array_map(fn ($worker) => trim($worker->output()), $workers);
[$turns, $passed, $renewed, $lost] = array_map(null, ...array_map(fn ($line) => json_decode($line) ?? [0, 0, 0, $line], $said));
is_so('none was lost', array_unique($lost) === [0], $said);
is_between('turns', array_sum($turns), 50, PHP_INT_MAX);
is_so('most were passed on', array_sum($passed) > array_sum($turns) / 2, [$turns, $passed]);
is_so('and some renewed', array_sum($renewed) > 0);
print_r(all_keys($redis));
?>
--EXPECT--
none was lost: yes
turns: yes
most were passed on: yes
and some renewed: yes
Array
(
)
