--TEST--
redislock: whatever others wrote into tokens and lines of waiters is shown without harm to a terminal, a table or JSON
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('it runs the command fifty times, which asks the server by PHP code of its own');
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
$redis = $server->client();
[$second] = $redis->cmd('TIME');
$nasty = [
    'escape' => "\e]0;title\x07\e[2J",
    'C1' => "\u{9b}2J\u{85}",
    'DEL' => "a\x7fb",
    'line' => "a\nb\r\tc",
    'bidi' => "a\u{202e}b\u{2066}c\u{200f}d\u{61c}",
    'ends of lines' => "a\u{2028}b\u{2029}c",
    'invisible' => "a\u{200b}\u{feff}\u{e0041}b",
    'no UTF-8' => "\xff\xfe\xc0\xafa",
    'cut UTF-8' => "a\xe2\x80",
    'NUL' => "a\0b",
    'JSON' => '","x":"\\',
    'like an escape' => '\\x1b \\\\ \\',
];
$suffixes = [
    ...array_map(fn ($text) => ":r19abcdef012:$text", $nasty),
    'long' => ':r19abcdef012:' . str_repeat('a', 51),
    'longest' => ':r19abcdef012:' . str_repeat("\u{10ffff}", 12) . 'ab',
    'nobody' => ':r19abcdef012:',
    'no since' => ':r:x',
    'since ever' => ':-0:web-1:1 x',
    'since the end' => ':-ffffffffffff:web-1:1 x',
    'since beyond' => ':-fffffffffffffffff:web-1:1 x',
    'since -1' => ':--1:web-1:1 x',
    'a flag of tomorrow' => ':x:19abcdef012:web-1:1',
    'a pid beyond' => ':r19abcdef012:web-1:99999999999999999999 x',
];

/** Checks that nothing in it would be obeyed: printable UTF-8 in lines, and no wider than a terminal where that is asked for. */
function check(string $what, string $out, int $width = PHP_INT_MAX): void
{
    foreach (explode("\n", $out) as $line) {
        if (preg_match('/\A[^\p{C}\p{Zl}\p{Zp}]*\z/u', $line) !== 1 || preg_match_all('/./us', $line) > $width) {
            echo "$what: ", json_encode($line, JSON_INVALID_UTF8_SUBSTITUTE), "\n";
        }
    }
}

$dsn = '--server=' . $server->dsn();
$rounds = 0;
$digits = str_repeat('0', 24);
foreach (['rl:00000000' . $digits, 'rl:build:00000000' . $digits, 'rl:', ''] as $before) {
    foreach ($suffixes as $name => $suffix) {
        $redis->cmd('SET', "lock:$name", $before . $suffix, 'PX', 3_600_000);
        $redis->cmd('ZADD', '{lock:the line}:rl:wait', $second * 1000 + 3_600_000, str_replace(['rl:build:', 'rl:'], ['', ''], substr($before, 8)) . $suffix);
    }
    $redis->cmd('SET', "lock:\e[31m\u{202e}\xff", "$before:r19abcdef012:\e[31m");
    $redis->cmd('SET', 'lock:the line', $before);
    foreach ([['ls'], ['watch', '--count=1']] as $args) {
        check(implode(' ', $args), cli([$dsn, ...$args])->out, 100);
    }
    $names = [...array_keys($suffixes), 'the line'];
    check('JSON', cli([$dsn, 'ls', '--json'])->out);
    is_so('JSON has them all', count(cli([$dsn, 'ls', '--json'])->json()) === count($names) + 1);
    json_decode(trim(cli([$dsn, 'watch', '--json', '--count=1'])->out), flags: JSON_THROW_ON_ERROR);
    foreach ($rounds > 0 ? ['the line'] : ['escape', 'bidi', 'no UTF-8', 'JSON', 'since the end', 'the line', "\e[31m\u{202e}\xff"] as $name) {
        check("show $name", cli([$dsn, 'show', $name])->out);
        $run = cli([$dsn, 'show', '--json', $name]);
        check("show $name --json", $run->out);
        is_array($run->json()) || print("$name: no JSON\n");
    }
    $rounds++;
}
check('release', cli([$dsn, 'release', '--force', 'escape'])->out);
check('release --json', cli([$dsn, 'release', '--force', '--json', 'bidi'])->out);

echo "what can be known of a token stays\n";
foreach ($suffixes as $name => $suffix) {
    $redis->cmd('SET', "lock:$name", 'rl:00000000' . $digits . $suffix);
}
$locks = array_column(cli([$dsn, 'ls', '--json'])->json(), null, 'name');
foreach (array_diff_key($suffixes, $nasty) as $name => $_) {
    echo "$name: ", json_encode(array_intersect_key($locks[$name], array_flip(['kind', 'host', 'pid', 'runs', 'since', 'renewed']))), "\n";
}
echo $locks['line']['description'] === $nasty['line'] && $locks['bidi']['description'] === $nasty['bidi'] ? "JSON brings them back\n" : 'NOT';
$table = cli([$dsn, 'ls'])->out;
foreach ($nasty as $name => $_) {
    echo preg_match("/^$name {2,}(\\S.*?) +\\d+ d +no end/m", $table, $found) ? "$name: $found[1]\n" : $table;
}
?>
--EXPECT--
JSON has them all: yes
JSON has them all: yes
JSON has them all: yes
JSON has them all: yes
what can be known of a token stays
long: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
longest: {"renewed":true,"kind":"lock","host":null,"pid":null,"runs":null,"since":1764105318.418}
nobody: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
no since: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
since ever: {"renewed":false,"kind":"lock","host":"web-1","pid":1,"runs":"x","since":0}
since the end: {"renewed":false,"kind":"lock","host":"web-1","pid":1,"runs":"x","since":281474976710.655}
since beyond: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
since -1: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
a flag of tomorrow: {"renewed":null,"kind":"foreign","host":null,"pid":null,"runs":null,"since":null}
a pid beyond: {"renewed":true,"kind":"lock","host":null,"pid":null,"runs":null,"since":1764105318.418}
JSON brings them back
escape: \x1b]0;title\x07\x1b[2J
C1: \xc2\x9b2J\xc2\x85
DEL: a\x7fb
line: a\x0ab\x0d\x09c
bidi: a\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8…
ends of lines: a\xe2\x80\xa8b\xe2\x80\xa9c
invisible: a\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\…
no UTF-8: \xff\xfe\xc0\xafa
cut UTF-8: a\xe2\x80
NUL: a\x00b
JSON: ","x":"\
like an escape: \\x1b \\\ \
