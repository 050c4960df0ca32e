<?php
declare(strict_types=1);
/*
 * What the design did not take, measured beside what it took: the numbers of docs/design.md that no other report has.
 *
 *     php -d extension=PATH/redislock.so bench/alternatives.php
 *
 * Takes two minutes. Starts servers of its own.
 */

require_once __DIR__ . '/../tests/php/inc/server.inc';
require_once __DIR__ . '/lib/Stats.php';

use Bench\Stats;

const WAITERS = 64;
const RUNS = 3;

/** Runs $work in as many processes, which it gives their number. Returns what each of them has returned. */
function crew(int $count, callable $work): array
{
    $file = tempnam(sys_get_temp_dir(), 'alternatives-');
    $pids = [];
    for ($i = 0; $i < $count; $i++) {
        if (($pid = pcntl_fork()) === 0) {
            file_put_contents($file, base64_encode(serialize($work($i))) . "\n", FILE_APPEND | LOCK_EX);
            posix_kill(getmypid(), SIGKILL); // nothing of the parent's is released here
        }
        $pids[] = $pid;
    }
    foreach ($pids as $pid) {
        pcntl_waitpid($pid, $status);
    }
    $results = array_map(fn ($line) => unserialize(base64_decode($line)), file($file));
    unlink($file);
    return $results;
}

/** The commands that each way of waiting sends; what its scripts call counts for none of them. */
const SENDS = [
    'by_baton' => ['evalsha', 'eval', 'blpop'],
    'by_pubsub' => ['set', 'eval', 'subscribe'],
    'by_blpop' => ['blpop', 'get'],
];

/** How many requests came over the wire. */
function requests(RedisServer $server, string $how): int
{
    $client = $server->client();
    preg_match_all('/^cmdstat_(\w+(?:\|\w+)?):calls=(\d+)/m', $client->cmd('INFO', 'commandstats'), $found, PREG_SET_ORDER);
    $client->close();
    $calls = array_column($found, 2, 1);
    return (int) array_sum(array_intersect_key($calls, array_flip(SENDS[$how])));
}

const DELETE_AND_PUBLISH = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) redis.call('PUBLISH', KEYS[2], '1') end";

/** Takes sections of 1 ms until $end, told of a release by pub/sub. Returns the waits, in ms. */
function by_pubsub(RedisServer $server, float $end): array
{
    $asks = $server->client();
    $hears = $server->client(1.0);
    $hears->cmd('SUBSCRIBE', 'released');
    $token = bin2hex(random_bytes(16));
    for ($waits = []; ($asked = microtime(true)) < $end;) {
        while ($asks->cmd('SET', 'lock', $token, 'NX', 'PX', 30000) === null) {
            $hears->reply();
        }
        $waits[] = (microtime(true) - $asked) * 1000;
        usleep(1000);
        $asks->cmd('EVAL', DELETE_AND_PUBLISH, 2, 'lock', 'released', $token);
    }
    return $waits;
}

function by_baton(RedisServer $server, float $end): array
{
    $lock = new RedisLock($server->dsn());
    for ($waits = []; ($asked = microtime(true)) < $end;) {
        $lock->lock('name', 30);
        $waits[] = (microtime(true) - $asked) * 1000;
        usleep(1000);
        $lock->unlock('name');
    }
    return $waits;
}

/** A crowd in which each asks again at once: what a section costs, and how long the longest wait is. */
function crowd(string $how): void
{
    $rows = [];
    for ($run = 0; $run < RUNS; $run++) {
        $server = RedisServer::start();
        $end = microtime(true) + 2.5;
        $waits = crew(WAITERS, fn () => $how($server, $end));
        $sections = array_map('count', $waits);
        $all = array_merge(...$waits);
        $rows[] = [array_sum($sections) / 2.5, requests($server, $how) / array_sum($sections), max($all), Stats::jain($sections)];
        $server->stop();
    }
    vprintf("  %-10s %6.0f sections a second, %6.2f requests a section, longest wait %5.0f ms, Jain's index %.2f\n", [
        $how, ...array_map(fn ($i) => Stats::median(array_column($rows, $i)), range(0, 3))]);
}

/** The waiters come 20 ms apart, behind a holder of 3 s; served are they in which order? */
function line(string $how, float $block): void
{
    $rows = [];
    for ($run = 0; $run < RUNS; $run++) {
        $server = RedisServer::start();
        $client = $server->client();
        $held = new RedisLock($server->dsn(), ['timeout' => 0]);
        $held->lock('name', expire: 30);
        $token = $held->detach('name');
        $client->cmd('SET', 'held', '1');
        $begin = microtime(true);
        if (pcntl_fork() === 0) { // releases to them, one after another
            usleep(3000000);
            if ($how === 'by_baton') {
                $held->unlock('name', $token); // a child says which lock it means
            } else {
                $pusher = $server->client();
                for ($i = 0; $i < WAITERS; $i++) {
                    $pusher->cmd('RPUSH', 'list', '1');
                    usleep(1000);
                }
            }
            posix_kill(getmypid(), SIGKILL);
        }
        $before = 0;
        $served = crew(WAITERS, function ($i) use ($server, $how, $block, $begin) {
            usleep(20000 * $i);
            if ($how === 'by_baton') {
                $lock = new RedisLock($server->dsn());
                $lock->lock('name', 30);
                $at = microtime(true);
                $lock->unlock('name');
            } else {
                $waiter = $server->client();
                while ($waiter->cmd('BLPOP', 'list', $block) === null) {
                    $waiter->cmd('GET', 'held');
                }
                $at = microtime(true);
            }
            return [$at, $i];
        });
        pcntl_wait($status);
        sort($served);
        $order = array_column($served, 1);
        $passed = 0;
        foreach ($order as $place => $one) {
            $passed += count(array_filter(array_slice($order, $place + 1), fn ($other) => $other < $one)) > 0;
        }
        $rows[] = [$passed, requests($server, $how)];
        $server->stop();
    }
    vprintf("  %-22s %3.0f of %d overtake somebody, %5.0f requests in all\n", [
        $how . ($block > 0 ? " $block s" : ''), Stats::median(array_column($rows, 0)), WAITERS, Stats::median(array_column($rows, 1))]);
}

/** The server's time for a pair: a string by SET and compare-and-delete; a hash of owner => count, by two scripts. */
function values(): void
{
    $delete = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    $enter = "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then "
        . "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2]) return nil end return redis.call('PTTL', KEYS[1])";
    $leave = "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 then "
        . "return 0 end return redis.call('DEL', KEYS[1])";
    $server = RedisServer::start();
    $client = $server->client();
    [$delete, $enter, $leave] = array_map(fn ($text) => $client->cmd('SCRIPT', 'LOAD', $text), [$delete, $enter, $leave]);
    $pairs = [
        'a string' => [['SET', 'lock', 'token', 'NX', 'PX', 30000], ['EVALSHA', $delete, 1, 'lock', 'token']],
        'a hash' => [['EVALSHA', $enter, 1, 'lock', 'token', 30000], ['EVALSHA', $leave, 1, 'lock', 'token']],
    ];
    $spent = [];
    for ($run = 0; $run < RUNS; $run++) {
        foreach ($pairs as $what => [$lock, $unlock]) {
            $client->cmd('CONFIG', 'RESETSTAT');
            for ($i = 0; $i < 10000; $i++) {
                $client->cmd(...$lock);
                $client->cmd(...$unlock);
            }
            preg_match_all('/^cmdstat_(?:set|evalsha):.*usec=(\d+)/m', $client->cmd('INFO', 'commandstats'), $found);
            $spent[$what][] = array_sum($found[1]) / 10000;
        }
    }
    foreach ($spent as $what => $all) {
        printf("  %-10s %.2f µs in commands a pair (%.2f–%.2f)\n", $what, Stats::median($all), min($all), max($all));
    }
}

/** A server stops for 2.5 s with a request for the lock, whose caller gives up. When has the next one the lock? */
function undo(): void
{
    $waits = ['with an undo' => [], 'without' => []];
    for ($run = 0; $run < RUNS; $run++) {
        foreach (array_keys($waits) as $what) {
            $server = RedisServer::start();
            $lock = new RedisLock($server->dsn(), ['expire' => 5.0, 'read_timeout' => 0.5, 'connect_timeout' => 0.5]);
            $lock->lock('warm');
            $lock->unlock('warm');
            $client = $server->client();
            $client->cmd('PING');
            posix_kill($server->pid(), SIGSTOP);
            if ($what === 'without') {
                $client->send('SET', 'lock:name', 'token', 'NX', 'PX', 5000);
                usleep(500000);
            } else {
                try {
                    $lock->lock('name');
                } catch (RedisLockException) {
                    // no answer in time
                }
            }
            $client->close();
            usleep(2000000);
            posix_kill($server->pid(), SIGCONT);
            $begin = microtime(true);
            $next = new RedisLock($server->dsn());
            $next->lock('name', 20);
            $waits[$what][] = (microtime(true) - $begin) * 1000;
            $next->unlock('name');
            unset($lock, $next);
            $server->stop();
        }
    }
    foreach ($waits as $what => $all) {
        printf("  %-14s the next one has it after %.0f ms (%.0f–%.0f)\n", $what, Stats::median($all), min($all), max($all));
    }
}

echo WAITERS, " processes, sections of 1 ms\n";
crowd('by_baton');
crowd('by_pubsub');
echo WAITERS, " waiters behind a holder of 3 s\n";
line('by_baton', 0.0);
line('by_blpop', 0.2);
echo "The lock's value\n";
values();
echo "A request without an answer, to a server that stops for 2.5 s, lease 5 s\n";
undo();
