--TEST--
A foreign client that polls with SET NX PX and waiters of ours: never two at once, and both have it many times
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$section = $server->folder() . '/section';
// Pauses leave the queue empty now and then: who polls gets nothing from a hand-over.
$loop = <<<'PHP'
    $section = fopen($argv[2], 'c');
    $sections = $overlaps = $lost = 0;
    for ($until = hrtime(true) / 1e9 + 3; hrtime(true) / 1e9 < $until; usleep(random_int(1000, 20000))) {
        if (!$take()) {
            continue;
        }
        if (flock($section, LOCK_EX | LOCK_NB)) {
            usleep(random_int(100, 2000));
            flock($section, LOCK_UN);
        } else {
            $overlaps++;
        }
        $sections++;
        $lost += $give() ? 0 : 1;
    }
    echo json_encode([$sections, $overlaps, $lost]);
    PHP;
$ours = <<<'PHP'
    $lock = new RedisLock($argv[1]);
    $take = fn () => $lock->lock('x', 1.0);
    $give = fn () => $lock->unlock('x');
    PHP;
$theirs = <<<'PHP'
    require $argv[3];
    $redis = new RawClient($argv[1]);
    $take = function () use ($redis, &$token) {
        return foreign_lock($redis, 'lock:x', $token = bin2hex(random_bytes(8)));
    };
    $give = function () use ($redis, &$token) {
        return foreign_unlock($redis, 'lock:x', $token);
    };
    PHP;
$workers = [];
for ($i = 0; $i < 4; $i++) {
    $workers["ours $i"] = Worker::start("$ours\n$loop", [$server->dsn(), $section]);
    $workers["theirs $i"] = Worker::start("$theirs\n$loop", [$server->addressOf('lock:x'), $section, __DIR__ . '/../inc/client.inc']);
}
$sections = ['ours' => 0, 'theirs' => 0];
foreach ($workers as $who => $worker) {
    $said = json_decode($printed = $worker->output());
    if (!$said) {
        echo "$who: no result: $printed\n";
    }
    is_safe('no overlap, and nothing lost', [$said[1] ?? 0, $said[2] ?? 0] === [0, 0], $said);
    $sections[strtok($who, ' ')] += $said[0] ?? 0;
}
is_between('sections of ours', $sections['ours'], 100, PHP_INT_MAX);
is_between('sections of theirs', $sections['theirs'], 20, PHP_INT_MAX);
print_r(all_keys($server->client()));
?>
--EXPECT--
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
no overlap, and nothing lost: yes
sections of ours: yes
sections of theirs: yes
Array
(
)
