--TEST--
max_waiters 20 and 500 that arrive at once: never more than 20 wait, the others are told so in one request each
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
$holder->lock('x');
$holder->owner('nobody');
// The scripts are in the server's cache.
(new RedisLock($server->dsn()))->lock('x', 0.01);

$gates = $server->folder();
flock($tries = fopen("$gates/tries", 'c'), LOCK_EX);
flock($ends = fopen("$gates/ends", 'c'), LOCK_EX);
$before = request_calls($redis);
$crowd = crowd(500, <<<'PHP'
    $lock->owner('nobody'); // connected
    flock(fopen($argv[3], 'r'), LOCK_SH);
    $began = hrtime(true) / 1e9;
    $got = $lock->lock('x', 30.0);
    $ended = hrtime(true) / 1e9;
    $got || flock(fopen($argv[4], 'r'), LOCK_SH); // 480 processes that end at once would keep the waiters from their looks
    echo json_encode([$got, $began, $ended, $got && $lock->unlock('x')]) . "\n";
    PHP, $server->dsn(), ['max_waiters' => 20, 'connect_timeout' => 10.0, 'read_timeout' => 10.0], ["$gates/tries", "$gates/ends"], apart: 0.002);
if (!wait_until(fn () => request_calls($redis) - $before >= 500, 60.0)) {
    echo "NOT ALL CAME\n";
}
flock($tries, LOCK_UN);
$at = now();
$most = $looks = 0;
// 500 questions for an owner, 500 tries, 20 that block.
while (now() < $at + 2.0 || ($looks <= 100 || request_calls($redis) - $before < 1020) && now() < $at + 20.0) {
    $most = max($most, $redis->cmd('ZCARD', '{lock:x}:rl:wait'));
    $looks++;
}
$requests = request_calls($redis) - $before;
$took = now() - $at;
is_so('never more than 20', $most === 20, $most);
is_so('and that was looked at often', $looks > 100, $looks);
is_so('20 are blocked', blocked($redis) === 20, blocked($redis));
// And their looks, more often while few wait. Who were refused and asked again would be hundreds more.
is_between('requests', $requests, 1020, 1020 + 40 * $took);

var_dump($holder->unlock('x'));
flock($ends, LOCK_UN);
$lines = array_map(fn ($line) => json_decode($line, true), explode("\n", trim($crowd->output())));
$got = array_filter($lines, fn ($line) => $line[0]);
$refused = array_filter($lines, fn ($line) => !$line[0]);
is_so('20 had their turn', count($got) === 20 && count(array_filter(array_column($got, 3))) === 20, count($got));
is_so('480 were refused', count($refused) === 480, count($refused));
took_between('seconds that took, at most', max(array_map(fn ($line) => $line[2] - $line[1], $refused)), 0, 2);
print_r(all_keys($redis));
?>
--EXPECT--
never more than 20: yes
and that was looked at often: yes
20 are blocked: yes
requests: yes
bool(true)
20 had their turn: yes
480 were refused: yes
seconds that took, at most: yes
Array
(
)
