--TEST--
php-fpm, 8 workers, 20 000 requests that count under a lock, one in 50 of them cut short: the count is exact
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
skip_under_valgrind('php-fpm is not under it, and the bounds on its memory need its own allocator');
?>
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

const WORKERS = 8;
// About 15 s on two slow cores.
$requests = (int) (getenv('REDISLOCK_TEST_FPM_REQUESTS') ?: 20000);
const WAYS = ['exit', 'fatal', 'throw', 'abort'];

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(WORKERS, [], ['display_errors' => '1']); // a request that fails says why
file_put_contents($fpm->path('counter'), '0');
// Read and write back: two in the section at once lose a count. How it ends is decided inside of the section.
$fpm->script('count.php', <<<'PHP'
    <?php
    $lock = new RedisLock($_GET['dsn'], ['read_timeout' => 20.0]); // a busy machine may be late, but loses no answer
    if (!$lock->lock('counter', 20.0, 30.0, $_GET['token'])) {
        exit('not had');
    }
    $count = (int) file_get_contents($_GET['counter']);
    file_put_contents($_GET['counter'], $count + 1);
    switch ($_GET['way']) {
        case 'exit':
            exit('counted');
        case 'fatal':
            echo 'counted';
            str_repeat('x', PHP_INT_MAX >> 8);
        case 'throw':
            echo 'counted';
            throw new RuntimeException();
        case 'abort':
            ob_implicit_flush();
            for ($until = hrtime(true) + 10e9; hrtime(true) < $until;) {
                echo str_repeat('counted ', 1000); // until PHP sees that the client has gone
            }
            file_put_contents($_GET['counter'] . '.unaware', "x", FILE_APPEND);
    }
    echo $lock->unlock('counter') ? 'counted' : 'LOST';
    PHP);

$token = fn ($number) => sprintf('rl:%032x', $number);
$ways = $ended = $stale = $bad = [];
$open = [];
$most = 0;
$memory = [];

$redis->cmd('CONFIG', 'RESETSTAT');
run_requests(
    $requests,
    2 * WORKERS,
    function ($number) use ($fpm, $server, $token, $requests, &$ways, &$memory, &$open) {
        if ($number === intdiv($requests, 4)) {
            $memory[0] = $fpm->memory();
        }
        $ways[$number] = $number % 50 === 0 ? WAYS[intdiv($number, 50) % count(WAYS)] : 'unlock';
        $open[$token($number)] = true;
        return $fpm->request('count.php', ['dsn' => $server->dsn(), 'counter' => $fpm->path('counter'), 'way' => $ways[$number], 'token' => $token($number)]);
    },
    function ($number, $request) use ($redis, $token, &$ways, &$ended, &$open, &$stale, &$bad, &$most) {
        $over = $request->pump();
        if (!$over && !($ways[$number] === 'abort' && $request->body() !== '')) {
            return false;
        }
        $request->abort();
        $ended[$ways[$number]] = ($ended[$ways[$number]] ?? 0) + 1;
        if (!str_starts_with($request->body(), 'counted')) {
            $bad[$number] = [$ways[$number], substr($request->body(), 0, 200)];
        }
        if ($ways[$number] === 'abort') {
            return true; // its worker has not seen that yet
        }
        unset($open[$token($number)]);
        $owner = $redis->cmd('GET', 'lock:counter');
        if ($owner !== null && !str_starts_with($owner, 'rl:baton:') && !isset($open[$owner])) {
            $stale[$number] = $owner;
        }
        if ($number % 100 === 0) {
            $most = max($most, (int) server_info($redis, 'clients')['connected_clients'] - 1);
        }
        return true;
    },
);
$memory[1] = $fpm->memory();
ksort($ended);

// The workers of those that went away last may not have noticed yet.
wait_until(fn () => all_keys($redis) === []);
$count = (int) file_get_contents($fpm->path('counter'));
is_so('all answered as they should', $bad === [], array_slice($bad, 0, 5, true));
is_so('each way was gone', array_keys($ended) === ['abort', 'exit', 'fatal', 'throw', 'unlock'], $ended);
is_so('the count is exact', $count === $requests, $count);
is_so('no lock outlived its request', $stale === [], array_slice($stale, 0, 5, true));
is_so('who goes away is noticed', !file_exists($fpm->path('counter.unaware')));
is_so('no key is left', all_keys($redis) === [], all_keys($redis));
is_between('most connections at once', $most, 1, 2 * WORKERS + 1);
$received = (int) server_info($redis, 'stats')['total_connections_received'];
is_between('connections made in all', $received, WORKERS, 2 * WORKERS + 1);
is_between('kB that a worker grew', growth($memory[0], $memory[1]), -2048, 128);
tell_numbers("php-fpm: $requests requests, counted $count");
?>
--EXPECT--
all answered as they should: yes
each way was gone: yes
the count is exact: yes
no lock outlived its request: yes
who goes away is noticed: yes
no key is left: yes
most connections at once: yes
connections made in all: yes
the same workers all the time: yes
kB that a worker grew: yes
