--TEST--
php-fpm, 16 workers, 20 000 requests with renewed leases that end in every way: threads, descriptors and memory stay as they are
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
require __DIR__ . '/renew.inc';
skip_without_fpm();
skip_without_proc();
skip_under_valgrind('php-fpm is not under it, and the bounds on its memory need its own allocator');
?>
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

const WORKERS = 16;
// About 20 s on two slow cores that others use too.
$requests = (int) (getenv('REDISLOCK_TEST_FPM_REQUESTS') ?: 20000);
const WAYS = ['unlock', 'unlock', 'unlock', 'synchronized', 'request', 'kept', 'exit', 'throw', 'fatal', 'remember', 'left'];
const EVERY = 400; // one in so many requests lasts until its lease is renewed

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(WORKERS, [], ['display_errors' => '1']); // a request that fails says why
$fpm->script('section.php', <<<'PHP'
    <?php
    ['way' => $way, 'name' => $name, 'long' => $long] = $_GET;
    $lock = new RedisLock($_GET['dsn'], [
        'expire' => 3, // a busy machine may be late
        'timeout' => 30.0,
        'read_timeout' => 20.0,
        'renew' => true,
        'auto_release' => ['kept' => false, 'request' => 'request'][$way] ?? true,
        'on_loss' => ['flag', 'throw', fn ($name) => print("LOST $name")][$_GET['on_loss']],
    ]);
    $work = function () use ($long) {
        $before = RedisLock::stats()['renewed'];
        for ($until = hrtime(true) + 20e9; $long && RedisLock::stats()['renewed'] === $before; usleep(1000)) {
            hrtime(true) < $until || exit('NOT RENEWED');
        }
        return 'done';
    };
    if ($way === 'synchronized') {
        exit($lock->synchronized($name, $work));
    } elseif ($way === 'remember') {
        exit($lock->remember($name, $work, 0.05));
    }
    $lock->lock($name, token: $_GET['token']) || exit('NOT HAD');
    echo $work();
    switch ($way) {
        case 'exit':
            exit;
        case 'throw':
            throw new RuntimeException();
        case 'fatal':
            str_repeat('x', PHP_INT_MAX >> 8);
        case 'unlock':
            $lock->unlock($name) || print(' NOT RELEASED');
    }
    PHP);

$ended = $bad = $outlived = [];
$most = 1;
/** The request of that number: its way, its name, and so on. */
$request = fn (int $number) => [
    'way' => $way = WAYS[($number + intdiv($number, EVERY)) % count(WAYS)],
    // Nobody is to wait for what lasts long, or is kept until its lease ends.
    'name' => ($long = $number < WORKERS || $number % EVERY === 0) || $way === 'kept' ? "$way $number" : "$way " . $number % 40,
    'long' => (int) $long,
    'on_loss' => $number % 3,
    'token' => sprintf('rl:%032x', $number),
    'dsn' => $server->dsn(),
];
$begin = fn (int $number) => $fpm->request('section.php', $request($number));
$look = function (int $number, FcgiRequest $response) use ($fpm, $redis, $request, &$ended, &$bad, &$outlived, &$most) {
    if (!$response->pump()) {
        return false;
    }
    ['way' => $way, 'name' => $name, 'token' => $token] = $request($number);
    $ended[$way] = ($ended[$way] ?? 0) + 1;
    if ($response->body() !== 'done' && !(in_array($way, ['throw', 'fatal']) && preg_match('/^done.*Fatal error/s', $response->body()))) {
        $bad[$number] = [$way, substr($response->body(), 0, 200)];
    }
    if ($way !== 'kept' && $redis->cmd('GET', "lock:$name") === $token) {
        $outlived[$number] = $way;
    }
    if ($number % 50 === 0) {
        $most = max($most, ...$fpm->ofEachWorker('threads'));
    }
    return true;
};
/** What the workers have when no request is left, also none whose response has come and that has not ended yet. */
$measure = function () use ($fpm, $redis) {
    wait_until(fn () => is_quiet($redis, 0.1));
    return [
        'threads' => $fpm->ofEachWorker('threads'),
        'descriptors' => $fpm->ofEachWorker(fn ($pid) => count(scandir("/proc/$pid/fd"))),
        'memory' => $fpm->memory(),
        'connections' => (int) server_info($redis, 'clients')['connected_clients'] - 1,
    ];
};

// The first ones last, so that each worker has renewed before it is measured.
$quarter = intdiv($requests, 4);
run_requests($quarter, 2 * WORKERS, $begin, $look);
$before = $measure();
run_requests($requests - $quarter, 2 * WORKERS, fn ($number) => $begin($number + $quarter), fn ($number, $response) => $look($number + $quarter, $response));
$after = $measure();
ksort($ended);

is_so('all answered as they should', $bad === [], array_slice($bad, 0, 5, true));
is_so('each way was gone', array_keys($ended) === ['exit', 'fatal', 'kept', 'left', 'remember', 'request', 'synchronized', 'throw', 'unlock'], $ended);
is_so('no lock outlived its request', $outlived === [], array_slice($outlived, 0, 5, true));
is_so('what was kept ends with its lease, and all else is gone', wait_until(fn () => all_keys($redis) === []), all_keys($redis));
is_so('nothing more is sent', is_quiet($redis, 0.4));
is_so('threads of a worker at a quarter', array_unique($before['threads']) === [array_key_first($before['threads']) => 2], $before['threads']);
is_so('threads of a worker at the end', $after['threads'] === $before['threads'], $after['threads']);
is_so('never more', $most === 2, $most);
// One connection for requests, one for waiting, which a worker may not have had to yet, and that of the thread.
is_between('descriptors more than before', growth($before['descriptors'], $after['descriptors']), 0, 1);
is_between('connections', $after['connections'], 2 * WORKERS, 3 * WORKERS);
$growth = growth($before['memory'], $after['memory']);
is_between('kB that a worker grew', $growth, -2048, 128);
tell_numbers("php-fpm: $requests requests with renewed leases, " . max($after['threads']) . " threads a worker, which grew by $growth kB at most");
?>
--EXPECT--
all answered as they should: yes
each way was gone: yes
no lock outlived its request: yes
what was kept ends with its lease, and all else is gone: yes
nothing more is sent: yes
threads of a worker at a quarter: yes
threads of a worker at the end: yes
never more: yes
the same workers all the time: yes
descriptors more than before: yes
connections: yes
the same workers all the time: yes
kB that a worker grew: yes
