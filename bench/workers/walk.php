<?php
declare(strict_types=1);

/*
 * Makes the walks for bench/walk, and tells them.
 *
 *     WALK_TRACE=FILE php walk.php FOLDER EXTENSION [WALK]
 *
 * walk.c appends to FILE what EXTENSION enters; FOLDER is for the server. With WALK that one is listed, otherwise there is a
 * table of all.
 */

namespace Bench;

require __DIR__ . '/../lib/Stats.php';
require __DIR__ . '/../lib/Server.php';

/** A call that is measured, and what goes before and comes after it. */
final class Walk
{
    public readonly \Closure $before;
    public readonly \Closure $after;

    /** @param bool $waits it is woken by chance: not the same each time */
    public function __construct(public readonly string $what, public readonly \Closure $call, ?\Closure $before = null, ?\Closure $after = null, public readonly bool $waits = false)
    {
        $this->before = $before ?? fn () => null;
        $this->after = $after ?? fn () => null;
    }
}

/** @return array<int, array{string, string}> where a function of the extension begins => its room and name; without those of PHP's headers */
function functions_of(string $extension): array
{
    $functions = [];
    $sources = dirname($extension, 2) . '/';
    // It tells where a function is declared. By its lines, those that are from headers may seem to be from elsewhere.
    exec('nm -l ' . escapeshellarg($extension), $symbols, $status);
    foreach ($symbols as $symbol) {
        if (preg_match('~^([0-9a-f]+) [tT] (\S+)\t' . preg_quote($sources) . '(\S+):\d+$~', $symbol, $found)) {
            $code = preg_replace('/\.h$/', '.c', $found[3]);
            $functions[hexdec($found[1])] = [is_file($sources . $code) ? $code : $found[3], $found[2]];
        }
    }
    $status === 0 && $functions !== [] || throw new \RuntimeException('nm does not know the extension');
    return $functions;
}

/** What a call entered, in order. */
final class Trace
{
    /** @param array<array{string, string}> $stops of the extension's functions, the room and the name */
    private function __construct(public readonly array $stops)
    {
    }

    public static function of(Walk $walk, array $functions): self
    {
        $file = getenv('WALK_TRACE');
        ($walk->before)();
        clearstatcache();
        $length = filesize($file);
        $result = ($walk->call)();
        $offsets = unpack('Q*', file_get_contents($file, offset: $length));
        $result || throw new \RuntimeException("$walk->what had no success");
        ($walk->after)();
        return new self(array_values(array_filter(array_map(fn ($offset) => $functions[$offset] ?? null, $offsets))));
    }

    public function rooms(): int
    {
        return count(array_unique(array_column($this->stops, 0)));
    }

    public function calls(): int
    {
        return count($this->stops);
    }

    public function moves(): int
    {
        return count($this->stays()) - 1;
    }

    /** @return array<array{string, string[]}> a room, and the functions that are entered there */
    public function stays(): array
    {
        $stays = [];
        foreach ($this->stops as [$room, $function]) {
            if ($stays === [] || end($stays)[0] !== $room) {
                $stays[] = [$room, []];
            }
            $stays[count($stays) - 1][1][] = $function;
        }
        return $stays;
    }
}

/** Another process, which holds a lock for 200 ms from when this returns. */
function let_another_hold(string $server, string $name): void
{
    static $holder = null;
    $holder === null || proc_close($holder);
    $code = '$lock = new RedisLock($argv[1]); $lock->lock($argv[2]) && print("held\n"); usleep(200000); $lock->unlock($argv[2]);';
    $command = [PHP_BINARY, '-n', '-d', "extension={$GLOBALS['argv'][2]}", '-r', $code, $server, $name];
    $holder = proc_open($command, [1 => ['pipe', 'w']], $pipes, env_vars: array_diff_key(getenv(), ['WALK_TRACE' => 0]));
    fgets($pipes[1]) === "held\n" || throw new \RuntimeException('the other process has no lock');
}

/** @return array<string, Walk> */
function walks(string $server): array
{
    $lock = new \RedisLock($server);
    $queue = new \RedisQueue($server);
    $names = ['SKU0001', 'SKU0002', 'SKU0003'];
    $wait = fn () => $lock->lock('SKU0001', 3);
    $unlock = fn () => $lock->unlock('SKU0001');
    return [
        'lock' => new Walk("lock('SKU0001'), free", fn () => $lock->lock('SKU0001'), after: $unlock),
        'wait' => new Walk("lock('SKU0001', 3), free", $wait, after: $unlock),
        'unlock' => new Walk("unlock('SKU0001')", $unlock, before: $wait),
        'reserve' => new Walk('reserve() of a task', fn () => $queue->reserve('tasks'), function () use ($queue) {
            static $id = 0;
            $queue->enqueue('tasks', ++$id); // those before stay reserved
        }),
        'remember' => new Walk('remember(), a hit', fn () => $lock->remember('price', fn () => 'built', 600)),
        'all' => new Walk('lockAll() of 3, one held', fn () => $lock->lockAll($names, 3), fn () => let_another_hold($server, 'SKU0002'), $lock->unlockAll(...), waits: true),
    ];
}

/** @return Trace[] so many, after one that does not count */
function traces(Walk $walk, array $functions, int $count): array
{
    return array_slice(array_map(fn () => Trace::of($walk, $functions), range(0, $count)), 1);
}

/** @return string what is wrong; '' if nothing is */
function table(array $walks, array $functions): string
{
    $wrong = '';
    printf("%-9s %-26s %6s %6s %6s\n", 'walk', '', 'rooms', 'calls', 'moves');
    foreach ($walks as $id => $walk) {
        $traces = traces($walk, $functions, $walk->waits ? 5 : 3);
        $middle = fn (string $what) => Stats::median(array_map(fn ($trace) => $trace->$what(), $traces));
        printf("%-9s %-26s %6d %6d %6d%s\n", $id, $walk->what, $middle('rooms'), $middle('calls'), $middle('moves'), $walk->waits ? '  (the middle of 5)' : '');
        foreach ($walk->waits ? [] : $traces as $trace) {
            $trace->stops === $traces[0]->stops || $wrong = "error: the walk '$id' is not the same each time\n";
        }
    }
    return $wrong;
}

function listing(Trace $trace): void
{
    foreach ($trace->stays() as [$room, $entered]) {
        $counts = array_count_values($entered);
        $told = array_map(fn ($function, $count) => $count > 1 ? "$function x$count" : $function, array_keys($counts), $counts);
        printf("%-24s %s\n", $room, implode(', ', $told));
    }
    printf("%d rooms, %d calls, %d moves\n", $trace->rooms(), $trace->calls(), $trace->moves());
}

pcntl_async_signals(true);
foreach ([SIGTERM, SIGINT, SIGHUP] as $signal) {
    pcntl_signal($signal, fn () => exit(128 + $signal));
}
[, $folder, $extension] = $argv;
$server = new Server($folder);
register_shutdown_function($server->stop(...));
$walks = walks($server->unix);
$functions = functions_of($extension);
$only = $argv[3] ?? null;
if ($only === null) {
    $wrong = table($walks, $functions);
} elseif (isset($walks[$only])) {
    $wrong = '';
    listing(traces($walks[$only], $functions, 1)[0]);
} else {
    $wrong = 'error: WALK is one of ' . implode(', ', array_keys($walks)) . "\n";
}
fwrite(STDERR, $wrong);
exit($wrong === '' ? 0 : 1);
