--TEST--
A renewed lease of 1 s lasts for 3 s of whatever PHP does meanwhile: it sleeps, computes, waits for a stream
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('five processes compute and sleep by the clock');
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

const WORKS = [
    'sleep' => 'sleep(3);',
    'usleep' => 'usleep(3_000_000);',
    'loop' => 'for ($until = hrtime(true) + 3e9; hrtime(true) < $until;);',
    'stream' => 'fgets(STDIN);',
];
$server = RedisServer::start();
$redis = $server->client();
$workers = [];
foreach (WORKS as $name => $work) {
    $workers[$name] = Worker::start(
        '$lock = new RedisLock($argv[1]);
        $token = $lock->lock($argv[2], expire: 1, renew: true) ? $lock->token($argv[2]) : "";
        echo "$token\n";
        fgets(STDIN);
        ' . $work . '
        $left = $lock->remaining($argv[2]);
        echo $left > 0 && $left <= 1 && array_keys($lock->held()) === [$argv[2]] ? "held" : "NOT HELD", ", ";
        echo $lock->unlock($argv[2]) ? "released" : "LOST", "\n";',
        [$server->dsn(), $name],
    );
}
$tokens = array_map(fn ($worker) => $worker->readLine(), $workers);
$other = new RedisLock($server->dsn());
$rounds = $taken = 0;
array_map(fn ($worker) => $worker->tell('begin'), $workers);
$left = $seen = [];
for ($until = hrtime(true) + 2.9e9; hrtime(true) < $until; usleep(5000), $rounds++) {
    foreach ($tokens as $name => $token) {
        $seen[$name][$redis->cmd('GET', "lock:$name")] = true;
        $left[$name][] = $redis->cmd('PTTL', "lock:$name");
        $taken += $other->lock($name);
    }
}
$workers['stream']->tell('enough');
foreach ($workers as $name => $worker) {
    is_so("$name: held by its token the whole time", array_keys($seen[$name]) === [$tokens[$name]], $seen[$name]);
    is_so("$name: the lease was 1 s", max($left[$name]) <= 1000, max($left[$name]));
    echo "$name: ", $worker->readLine(), "\n";
}
is_so('looked often enough', $rounds > 20, $rounds);
is_so('taken by nobody else', $taken === 0, $taken);
print_r(all_keys($redis));
?>
--EXPECT--
sleep: held by its token the whole time: yes
sleep: the lease was 1 s: yes
sleep: held, released
usleep: held by its token the whole time: yes
usleep: the lease was 1 s: yes
usleep: held, released
loop: held by its token the whole time: yes
loop: the lease was 1 s: yes
loop: held, released
stream: held by its token the whole time: yes
stream: the lease was 1 s: yes
stream: held, released
looked often enough: yes
taken by nobody else: yes
Array
(
)
