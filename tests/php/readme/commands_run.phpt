--TEST--
The commands and settings that the README, docs/ and the examples' READMEs show run
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
if (!find_program('redis-cli') && !find_program('valkey-cli')) {
    die('skip no redis-cli');
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/blocks.inc';

/** A block that has these words is run by somebody else, or cannot be. */
const ELSEWHERE = [
    'bin/demo' => 'the steps demo and debian12 of .ci/gates',
    'examples/' => 'tests/php/examples; the steps demo and laravel',
    'apt-get update && apt-get install' => '.ci/readme.sh',
    'phpize && ./configure' => 'the steps debian12 and build_by_pie',
    "phpize\n./configure" => 'the steps debian12 and build_by_pie',
    'pecl package' => 'the step debian12',
    'pecl install' => 'the step debian12',
    'pie install' => 'the step build_by_pie does what PIE does, and where there is one, has PIE do them',
    'composer require' => 'the steps symfony and laravel',
    'FROM php:8.4-fpm-trixie' => 'the long step images',
    'FROM php:' => 'needs Docker and its images',
    'ACL SETUSER finder' => 'of a sentinel: tests/php/rights/sentinel.phpt',
    'git clone' => 'the step debian12',
    'systemctl reload' => 'the step debian12; with a .deb, it needs systemd',
    'unzip -o php_redislock' => 'the long step binaries',
    'docker build' => 'the long step images',
    '/var/lib/prometheus' => 'tests/php/metrics/prometheus.phpt reads what it prints',
    'redislock metrics --uid=www-data |' => 'tests/php/metrics/walk.phpt',
    'cp modules/redislock.so' => 'the step debian12',
];

/** What a block that has these words prints. */
const PRINTS = [
    'php --ri redislock' => '/^redislock support => enabled$.*round trip/ms',
    'cat >sell.php' => "/\\A *10 sold\n *20 sold out\n\\z/",
    'my-own-random-token NX PX' => "/\\AOK\n1\n1\n\\z/",
    'redislock watch --count' => '/^NAME.*SKU0001.*"name": "stock:SKU0001".*owner.*WAITERS.*was taken from \S.*round trip/s',
    'redis-cli GET lock:SKU0001' => "/\\Arl:1+\n\\d+\n0\nlock:.*\n1\n\\z/s",
    "--pattern 'Lock:*'" => "/\\ALock:stuck\n\\z/",
];

$server = RedisServer::start(['unixsocketperm 777', 'appendonly yes']);
$redis = $server->client();
$path = $server->folder() . '/bin';
mkdir($path);
$quote = fn (array $words) => implode(' ', array_map('escapeshellarg', $words));
$settings = ['-d', 'redislock.servers=unix://' . $server->socket()];
foreach ([
    'php' => [...php_command(), ...$settings],
    'redis-cli' => [find_program('redis-cli') ?? find_program('valkey-cli'), '-s', $server->socket()],
    'redislock' => [...php_command(), ...$settings, dirname(__DIR__, 3) . '/bin/redislock'],
] as $name => $command) {
    file_put_contents("$path/$name", "#!/bin/sh\nexec {$quote($command)} \"\$@\"\n");
    chmod("$path/$name", 0700);
}

/** As it stands before each block. */
function prepare(): void
{
    global $redis;
    $redis->cmd('FLUSHALL');
    $token = 'rl:' . str_repeat('1', 32);
    $redis->cmd('SET', 'lock:stock:SKU0001', $token, 'PX', 60000);
    $redis->cmd('SET', 'Lock:stuck', '1600000000', 'EX', 1600000000);
    $redis->cmd('SET', 'Lock:held', (string) time(), 'EX', 15);
}

function run_shell(string $block): string
{
    global $path, $server, $redis;
    if (str_contains($block, 'redis-cli GET lock:SKU0001')) {
        $redis->cmd('SET', 'lock:SKU0001', 'rl:' . str_repeat('1', 32), 'PX', 60000);
    }
    file_put_contents("$path/block", "cd \"\$TMPDIR\"\n$block");
    $files = [['file', '/dev/null', 'r'], ['file', "$path/out", 'w'], ['redirect', 1]];
    $shell = new Child(['/bin/sh', '-e', "$path/block"], $files, ['PATH' => "$path:" . getenv('PATH'), 'TMPDIR' => $server->folder()]);
    if (!$shell->wait(60) || $shell->exitCode() !== 0) {
        return 'FAILED ' . $shell->exitCode() . "\n" . file_get_contents("$path/out");
    }
    return file_get_contents("$path/out");
}

/** Settings are taken without a warning, and are known. */
function run_ini(string $block): string
{
    $options = [];
    foreach (parse_ini_string($block, false, INI_SCANNER_RAW) as $name => $value) {
        if ($name !== 'extension') {
            array_push($options, '-d', "$name=$value");
        }
    }
    return Worker::run('foreach (array_slice($argv, 1) as $name) if (ini_get($name) === false) echo "FAILED: no setting $name";',
        array_keys(array_diff_key(parse_ini_string($block, false, INI_SCANNER_RAW), ['extension' => 1])), [], $options);
}

/** Commands of Redis, a line each. */
function run_redis(string $block): string
{
    global $redis;
    foreach (explode("\n", trim($block)) as $line) {
        try {
            $redis->cmd(...explode(' ', $line));
        } catch (RespError $e) {
            return 'FAILED: ' . $e->getMessage();
        }
    }
    return '';
}

$ran = 0;
foreach (pages() as $page) {
    foreach (blocks($page) as [$language, $block]) {
        $words = fn (array $table) => array_filter($table, fn ($words) => str_contains($block, $words), ARRAY_FILTER_USE_KEY);
        if ($words(ELSEWHERE) || $language === 'php' || $language === 'text') {
            continue;
        }
        prepare();
        $output = match ($language) {
            'sh' => run_shell($block),
            'ini' => run_ini($block),
            '' => run_redis($block),
            default => "FAILED: who runs $language?",
        };
        $ran++;
        foreach ($words(PRINTS) as $pattern) {
            $output = preg_match($pattern, $output) ? '' : "FAILED, it prints $output";
        }
        if (preg_match('/FAILED|[Ww]arning|[Ee]rror/', $output)) {
            echo "$page:\n$block\n--> $output\n";
        }
    }
}
echo $ran >= 8 ? 'many' : "ONLY $ran", " blocks ran\n";

$all = implode('', array_map(readme(...), pages()));
foreach (array_keys(PRINTS) as $words) {
    if (!str_contains($all, $words)) {
        echo "no block has: $words\n";
    }
}
array_map('unlink', glob("$path/*"));
rmdir($path);
?>
--EXPECT--
many blocks ran
