--TEST--
500 waiters on one name send at most 110 requests a second together while the holder sits still, and get their turns when it does not
--DESCRIPTION--
Takes long.
--CONFLICTS--
all
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
skip_under_valgrind('so many processes at once are too slow there');
?>
--FILE--
<?php
require __DIR__ . '/crowd.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x', expire: 60.0);
$crowd = crowd(500, <<<'PHP'
    $got = $lock->lock('x', 25.0);
    $from = hrtime(true) / 1e9;
    $until = hrtime(true) / 1e9;
    echo json_encode([$i, $got, $from, $until, $got && $lock->unlock('x')]) . "\n";
    PHP, $server->dsn(), apart: 0.003);
await_blocked($redis, 500, 12.0);
is_so('all wait', $holder->waiters('x') === 500, $holder->waiters('x'));

usleep(300000);
$before = request_calls($redis);
$began = now();
sleep_until($began + 6);
$rate = (request_calls($redis) - $before) / (now() - $began);
is_between('requests a second', $rate, 50, 110); // fewer than one in 10 s a waiter would be too few
is_so('all still wait', $holder->waiters('x') === 500, $holder->waiters('x'));

$released = now();
var_dump($holder->unlock('x'));
$lines = array_map(fn ($line) => json_decode($line, true), explode("\n", trim($crowd->output())));
is_so('each had its turn', count(array_filter($lines, fn ($line) => $line[1] ?? false)) === 500, count($lines));
is_so('each released its own', count(array_filter($lines, fn ($line) => $line[4] ?? false)) === 500);
is_so('one after another', overlaps(array_map(fn ($line) => ['got' => $line[1], 'from' => $line[2], 'until' => $line[3]], $lines)) === 0);
took_between('seconds until the last was through', max(array_column($lines, 3)) - $released, 0, 5);
print_r(all_keys($redis));
?>
--EXPECT--
all wait: yes
requests a second: yes
all still wait: yes
bool(true)
each had its turn: yes
each released its own: yes
one after another: yes
seconds until the last was through: yes
Array
(
)
