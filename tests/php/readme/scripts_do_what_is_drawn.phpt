--TEST--
src/lock/README.md draws what the scripts do to the lock, its batons and its waiters
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$root = dirname(__DIR__, 3);
$server = RedisServer::start();
$redis = $server->client();
[$K, $B, $W, $NOTE] = ['{k}', '{k}:rl:baton', '{k}:rl:wait', '{k}:rl:note'];
const T1 = 'rl:00000000000000000000000000000001';
const T2 = 'rl:00000000000000000000000000000002';
const B1 = 'rl:baton:00000000000000000000000000000001';
const B2 = 'rl:baton:00000000000000000000000000000002';
$names = [T1 => 'T1', T2 => 'T2', B1 => 'b1', B2 => 'b2'];

/** The text of a script, each included file in its place. */
function text(string $file): string
{
    return preg_replace_callback('/^--@include (.+)$/m', fn ($found) => text(dirname(__DIR__, 3) . "/lua/$found[1]"), file_get_contents($file));
}

/** Makes the state that is drawn: the lines of K, B and W. */
function make(array $drawn): void
{
    global $redis, $K, $B, $W, $names;
    $redis->cmd('FLUSHALL');
    [$value, $life] = preg_split('/\s{2,}/', $drawn['K']) + [1 => ''];
    if ($value !== '-') {
        $ms = $life === 'lease' ? 30000 : (int) (1000 * (float) $life);
        $redis->cmd('SET', $K, array_search($value, $names), 'PX', $ms);
    }
    [$value] = preg_split('/\s{2,}/', $drawn['B']);
    if ($value !== '-') {
        $redis->cmd('RPUSH', $B, array_search($value, $names));
        $redis->cmd('PEXPIRE', $B, 2000);
    }
    foreach ($drawn['W'] === '-' ? [] : explode(' ', $drawn['W']) as $i => $waiter) {
        $redis->cmd('ZADD', $W, 1000 * time() + 60000 + $i, $waiter);
        $redis->cmd('PEXPIRE', $W, 60000);
    }
}

/** How long a key has to live, as it is drawn: of a baton in seconds. */
function life(string $key): string
{
    global $redis;
    $ms = $redis->cmd('PTTL', $key);
    return $ms > 5000 ? 'lease' : ceil($ms / 100) / 10 . ' s';
}

/** The state, as it is drawn. A baton that the script made by itself is the first one. */
function drawn(): array
{
    global $redis, $K, $B, $W, $names;
    $name = fn (string $value) => $names[$value] ?? (str_starts_with($value, 'rl:baton:') ? 'b1' : $value);
    $value = $redis->cmd('GET', $K);
    $batons = $redis->cmd('LRANGE', $B, 0, -1);
    $waiters = $redis->cmd('ZRANGE', $W, 0, -1);
    sort($waiters);
    return [
        'K' => $value === null ? '-' : "{$name($value)}  " . life($K),
        'B' => $batons ? implode(' ', array_map($name, $batons)) . '  ' . life($B) : '-',
        'W' => $waiters ? implode(' ', $waiters) : '-',
    ];
}

$asks = fn (string $waiter, int $patience, string $served = '') => [3, $K, $B, $W, T2, 30000, $waiter, $patience, 0, 0, $served];
$renames = [3, $K, $B, $W, T1, T2, 30000];
$steps = [
    'acquire: free' => [3, $K, $B, $W, T1, 30000, '', 0],
    'acquire: held, and the caller waits' => $asks('w2', 5000),
    'release: nobody waits' => [3, $K, $B, $W, T1, B1],
    'release: somebody waits' => [3, $K, $B, $W, T1, B1],
    'acquire: the claim, with b1' => $asks('w2', 5000, B1),
    'acquire: a claim that comes too late, with b1' => $asks('w2', 5000, B1),
    'acquire: a newcomer that waits finds it free, behind a waiter' => $asks('w3', 5000),
    'acquire: a baton that nobody took, and nobody waits' => $asks('', 0),
    'acquire: the last try at the deadline' => $asks('w2', 0),
    "look: the holder's lease has ended" => [3, $K, $B, $W, 'w2', 5000, 100, 0, 0],
    'look: a waiter took b1 0.3 s ago and has not claimed the lock' => [3, $K, $B, $W, 'w3', 5000, 100, 0, 0],
    'release: a waiter leaves, which may have been served b1' => [3, $K, $B, $W, '', B2, 'w2', '*'],
    'release: the last waiter leaves, and its baton lies there still' => [3, $K, $B, $W, '', B2, 'w2'],
    'rename: to a next holder, who stands in no line here' => $renames,
    'rename: a repeat, of which the first was carried out' => $renames,
    'rename: the lease of T1 has ended, and a waiter is to have the lock' => $renames,
    'rename: the lease of T1 has ended' => $renames,
    'force: somebody waits' => [4, $K, $B, $W, $NOTE, B1],
];

$page = file_get_contents("$root/src/lock/README.md");
preg_match_all('/^(\w+): (.+)\n((?:  [KBW]  .*\n){3})/m', $page, $pictures, PREG_SET_ORDER);
foreach ($pictures as [, $script, $title, $lines]) {
    preg_match_all('/^  ([KBW])  (.+?)\s+→  \1  (.+)$/m', $lines, $rows, PREG_SET_ORDER);
    $before = array_column($rows, 2, 1);
    $after = array_column($rows, 3, 1);
    if (!isset($steps["$script: $title"])) {
        echo "$script: $title: nothing does this\n";
        continue;
    }
    make($before);
    $redis->cmd('EVAL', text("$root/lua/$script.lua"), ...$steps["$script: $title"]);
    unset($steps["$script: $title"]);
    if (($now = drawn()) !== $after) {
        echo "$script: $title\n", json_encode($now), " and not\n", json_encode($after), "\n";
    }
}
foreach ($steps as $title => $step) {
    echo "$title is not drawn\n";
}
echo count($pictures), " pictures\n";
?>
--EXPECT--
18 pictures
