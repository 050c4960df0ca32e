--TEST--
The page of a php-fpm pool under nginx and wrk, scraped ten times a second: no number goes down, and at the end all are what the shop counted
--DESCRIPTION--
Half a minute of load, then the same with workers that are killed. In the nightly run: .ci/run --long metrics.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_unless_long();
skip_without_fpm();
foreach (['nginx' => '/usr/sbin/nginx', 'wrk' => 'wrk', 'promtool' => 'promtool'] as $name => $path) {
    if (find_program($name) === null && find_program($path) === null) {
        die("skip needs $name");
    }
}
?>
--INI--
memory_limit=1G
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

const CONNECTIONS = 32;
const EXAMPLE = __DIR__ . '/../../../examples/metrics.php';

/** What stands in front of the pool: nginx, with the block for the page that the example shows; and wrk, whose buyers come there. */
final class Front
{
    private readonly Child $nginx;
    private readonly PrivateFolder $folder;
    private readonly int $port;

    public function __construct(private readonly Fpm $fpm)
    {
        $this->folder = new PrivateFolder();
        $this->port = free_port();
        $folder = $this->folder->path;
        preg_match('/^ \*( +location = \/redislock-metrics \{.*?\n \* +\}$)/ms', file_get_contents(EXAMPLE), $found);
        $page = strtr(preg_replace('/^ \*/m', '', $found[1]), [
            '/usr/local/share/redislock/metrics.php' => $fpm->path('page.php'),
            '/run/php/php-fpm.sock' => $fpm->path('fpm.sock'),
        ]);
        copy('/etc/nginx/fastcgi_params', "$folder/fastcgi_params");
        $temporary = implode('', array_map(fn ($what) => "{$what}_temp_path $folder/$what;\n", ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']));
        // What wrk no longer waits for at its end runs to its own end too, so that it is counted.
        file_put_contents("$folder/nginx.conf", (posix_geteuid() === 0 ? "user root;\n" : '') . "
            daemon off;
            pid $folder/nginx.pid;
            worker_processes 1;
            events { worker_connections 512; }
            http {
                $temporary
                log_format told '\$uri \$status \$request_time';
                access_log $folder/access told;
                server {
                    listen 127.0.0.1:$this->port;
                    location = /buy {
                        include fastcgi_params;
                        fastcgi_param SCRIPT_FILENAME {$fpm->path('buy.php')};
                        fastcgi_pass unix:{$fpm->path('fpm.sock')};
                        fastcgi_ignore_client_abort on;
                    }
                    $page
                }
            }");
        $nginx = find_program('nginx') ?? '/usr/sbin/nginx';
        $errors = ['file', "$folder/errors", 'w'];
        $this->nginx = new Child([$nginx, '-e', "$folder/errors", '-c', "$folder/nginx.conf"], [['file', '/dev/null', 'r'], $errors, $errors], asked: true);
        if (!wait_until(fn () => @stream_socket_client("tcp://127.0.0.1:$this->port") !== false)) {
            throw new RuntimeException('nginx did not start: ' . file_get_contents("$folder/errors"));
        }
    }

    /** The page as Prometheus gets it; null: it was not there. */
    public function scrape(): ?string
    {
        $page = @file_get_contents("http://127.0.0.1:$this->port/redislock-metrics", context: stream_context_create(['http' => ['timeout' => 30.0]]));
        return $page === false ? null : $page;
    }

    /** Has wrk buy for so many seconds, and calls $beside ten times a second until it ends by itself. Returns what wrk printed. */
    public function load(int $seconds, float $expire, callable $beside): string
    {
        $out = $this->folder->path . '/wrk';
        $file = ['file', $out, 'w'];
        $wrk = new Child([
            'wrk', '--threads', '1', '--connections', (string) CONNECTIONS, '--duration', "{$seconds}s", '--timeout', '60s', "http://127.0.0.1:$this->port/buy?expire=$expire",
        ], [['file', '/dev/null', 'r'], $file, $file]);
        $begun = microtime(true);
        while ($wrk->isRunning()) {
            if (microtime(true) > $begun + $seconds + 60) {
                throw new RuntimeException('wrk hangs: ' . file_get_contents($out));
            }
            $next = microtime(true) + 0.1;
            $beside();
            usleep((int) (1e6 * max(0.0, $next - microtime(true))));
        }
        return file_get_contents($out);
    }

    /** Ends when the last request has. @return array{int, float}[] of those that bought: their status, and the seconds that they took */
    public function end(): array
    {
        $this->nginx->signal('QUIT');
        is_so('nginx ends with its last request', $this->nginx->wait(60.0));
        preg_match_all('~^/buy (\d+) ([\d.]+)$~m', file_get_contents($this->folder->path . '/access'), $lines, PREG_SET_ORDER);
        return array_map(fn ($line) => [(int) $line[1], (float) $line[2]], $lines);
    }
}

/** One scrape after the other. */
final class Scrapes
{
    /** @var array<string, float> series => number */
    public array $last = [];
    /** @var string[] what is wrong */
    public array $wrong = [];
    public int $count = 0;
    public int $missing = 0;

    public function __construct(private readonly string $folder)
    {
    }

    public function take(?string $page): void
    {
        if ($page === null) {
            $this->missing++;
            return;
        }
        file_put_contents(sprintf("$this->folder/%04d", $this->count++), $page);
        preg_match_all('/^(\w+(?:\{.*\})?) (\S+)$/m', $page, $lines);
        $now = array_combine($lines[1], array_map(floatval(...), $lines[2]));
        foreach ($this->last as $series => $number) {
            if (!isset($now[$series]) || $now[$series] < $number) {
                $this->wrong[] = "$series: " . ($now[$series] ?? 'none') . " behind $number";
            }
        }
        $this->last = $now;
        $this->checkHistograms();
    }

    private function checkHistograms(): void
    {
        $so_far = $end = [];
        foreach ($this->last as $series => $number) {
            if (preg_match('/^redislock_(\w+)_bucket\{(.*),le="(.*)"\}$/', $series, $of)) {
                $histogram = "$of[1]{{$of[2]}}";
                if ($number < ($so_far[$histogram] ?? 0)) {
                    $this->wrong[] = "$series: $number behind $so_far[$histogram]";
                }
                $so_far[$histogram] = $number;
                $end[$histogram] = $of[3];
            }
        }
        foreach ($so_far as $histogram => $count) {
            [$name, $labels] = explode('{', $histogram, 2);
            $counted = $this->last["redislock_{$name}_count{{$labels}"] ?? null;
            if ($end[$histogram] !== '+Inf' || $counted !== $count) {
                $this->wrong[] = "$histogram: $count up to {$end[$histogram]}, but a count of $counted";
            }
            $acquired = $this->last['redislock_acquire_total{' . rtrim($labels, '}') . ',outcome="acquired"}'] ?? null;
            if ($name === 'wait_seconds' && $acquired !== $count) {
                $this->wrong[] = "$histogram: $count, but $acquired were acquired";
            }
        }
    }

    /** What promtool says against them. */
    public function promtool(): array
    {
        $said = [];
        foreach (glob("$this->folder/*") as $file) {
            exec('promtool check metrics <' . escapeshellarg($file) . ' 2>&1', $said, $status);
            if ($status !== 0) {
                $said[] = "status $status";
            }
        }
        return $said;
    }

    /** How often that came of a call, or the sum of a histogram. */
    public function of(string $group, string $what): int|float
    {
        $series = match ($what) {
            'acquired', 'held', 'timed_out' => "redislock_acquire_total{group=\"$group\",outcome=\"$what\"}",
            'released' => "redislock_released_total{group=\"$group\"}",
            'lost' => "redislock_lost_total{group=\"$group\",found=\"release\"}",
            'waited' => "redislock_contended_total{group=\"$group\"}",
            'fresh', 'stale', 'built' => "redislock_values_total{group=\"$group\",outcome=\"$what\"}",
            'wait', 'hold' => "redislock_{$what}_seconds_sum{group=\"$group\"}",
        };
        return $this->last[$series];
    }

    /** Is the sum of a histogram what its buckets can add up to? */
    public function sumFits(string $group, string $what): bool
    {
        $least = $most = $so_far = $from = 0.0;
        foreach ($this->last as $series => $number) {
            if (preg_match("/^redislock_{$what}_seconds_bucket\{group=\"$group\",le=\"(.*)\"\}\$/", $series, $of)) {
                $to = $of[1] === '+Inf' ? INF : (float) $of[1];
                $least += ($number - $so_far) * $from;
                $most += $number > $so_far ? ($number - $so_far) * $to : 0.0;
                [$so_far, $from] = [$number, $to];
            }
        }
        return $least <= $this->of($group, $what) && $this->of($group, $what) <= $most;
    }
}

/** What the shop has written down: behind each call, so a request that is killed loses one of them at most. */
final class Journal
{
    /** @var array<string, int> */
    private array $counts;
    /** µs that the locks of the group "stock" were held, by clocks that were read within, and from the call on, by those around */
    public int $within = 0;
    public int $around = 0;

    public function __construct(string $file)
    {
        preg_match_all('/^(.+?)(?: (\d+) (\d+))?$/m', file_get_contents($file), $lines);
        $this->counts = array_count_values($lines[1]);
        $this->within = array_sum(array_map(intval(...), $lines[2]));
        $this->around = array_sum(array_map(intval(...), $lines[3]));
    }

    public function of(string $what): int
    {
        return $this->counts[$what] ?? 0;
    }
}

/**
 * By how much the numbers of the page are above the journal's. A call about two locks is one operation.
 *
 * @return array<string, int>
 */
function differences(Scrapes $scrapes, Journal $shop): array
{
    $differences = [];
    foreach (['stock', 'cart'] as $group) {
        foreach (['acquired', 'released', 'lost', 'held', 'timed_out'] as $what) {
            $differences["$group $what"] = $scrapes->of($group, $what) - $shop->of("$group $what");
        }
    }
    // The shop does not see whether a lock of these was lost.
    foreach (['order' => 2, 'price' => 1] as $group => $locks) {
        $differences["$group acquired"] = ($scrapes->of($group, 'acquired') - $shop->of("$group acquired")) / $locks;
        $differences["$group released"] = ($scrapes->of($group, 'released') + $scrapes->of($group, 'lost') - $shop->of("$group released")) / $locks;
    }
    $differences['order timed_out'] = $scrapes->of('order', 'timed_out') - $shop->of('order timed_out');
    $differences['price value'] = $scrapes->of('price', 'fresh') + $scrapes->of('price', 'built') - $shop->of('price value');
    return $differences;
}

$server = RedisServer::start();
$folder = new PrivateFolder();
mkdir("$folder->path/scrapes");
mkdir("$folder->path/shm");
$fpm = Fpm::start(16, ['pm.max_requests = 50'], ['redislock.shared_memory' => "$folder->path/shm"]);
$fpm->script('page.php', file_get_contents(EXAMPLE));
$fpm->script('buy.php', strtr(<<<'PHP'
    <?php
    $note = fn (string $line) => file_put_contents('JOURNAL', "$line\n", FILE_APPEND);
    $note('begun');
    $lock = new RedisLock('DSN', ['expire' => (float) $_GET['expire'], 'timeout' => 30.0]);
    $number = random_int(0, 104);

    $name = 'stock:SKU' . $number % 7;
    $begun = hrtime(true);
    if ($lock->lock($name)) {
        $got = hrtime(true);
        $note('stock acquired');
        usleep(200);
        $done = hrtime(true);
        $released = $lock->unlock($name);
        $end = hrtime(true);
        $note(sprintf('stock %s %d %d', $released ? 'released' : 'lost', intdiv($done - $got, 1000), intdiv($end - $begun, 1000)));
    } else {
        $note('stock timed_out');
    }

    $name = 'cart:' . $number % 3;
    if ($lock->lock($name, 0.0)) {
        $note('cart acquired');
        $note('cart ' . ($lock->unlock($name) ? 'released' : 'lost'));
    } else {
        $note('cart held');
    }

    if ($lock->lockAll(['order:' . $number % 5, 'order:' . ($number + 2) % 5])) {
        $note("order acquired\norder acquired");
        $lock->unlockAll();
        $note("order released\norder released");
    } else {
        $note('order timed_out');
    }

    $built = false;
    $lock->remember('price:' . $number % 5, function () use ($note, &$built) {
        $built = true;
        $note('price acquired');
        return 42;
    }, 0.05);
    $note($built ? 'price released' : 'price value');
    $note('ended');
    PHP, ['JOURNAL' => "$folder->path/journal", 'DSN' => $server->dsn()]));

$scrapes = new Scrapes("$folder->path/scrapes");
$workers = [];
$scrape = function (Front $front) use ($scrapes, $fpm, &$workers) {
    $scrapes->take($front->scrape());
    $workers += array_flip($fpm->workers());
};
$last = fn () => $scrapes->take($fpm->get('page.php'));

$front = new Front($fpm);
$said = $front->load(15, 60.0, fn () => $scrape($front));
$answered = $front->end();
$last();
$shop = new Journal("$folder->path/journal");
preg_match('/^ +(\d+) requests in /m', $said, $of);
$completed = (int) ($of[1] ?? 0);
is_so('wrk saw no error', !preg_match('/Socket errors|Non-2xx/', $said), $said);
is_so('enough was sold', $completed > 1000, $said);
is_so('all requests that came, the last ones of wrk too, went to their ends', array_count_values(array_column($answered, 0)) === [200 => $shop->of('begun')] && $shop->of('ended') === $shop->of('begun'));
is_between('wrk did not wait for one a connection at most', $shop->of('begun') - $completed, 0, CONNECTIONS);
is_between('workers were replaced', count($workers), 26, PHP_INT_MAX);
is_so('all numbers are what the shop counted', array_filter(differences($scrapes, $shop)) === [], differences($scrapes, $shop));
is_so('none is held', array_filter(['stock', 'cart', 'order', 'price'], fn ($group) => $scrapes->of($group, 'acquired') !== $scrapes->of($group, 'released') + $scrapes->of($group, 'lost')) === []);
is_so('some waited, and some were built', $scrapes->of('stock', 'waited') > 0 && $scrapes->of('order', 'waited') > 0 && $scrapes->of('cart', 'held') > 0 && $shop->of('price acquired') > 0);
// The clocks may differ by 0.1 %, and each time is cut to whole µs.
$bought = $shop->of('stock acquired');
$sum = 1e6 * $scrapes->of('stock', 'hold');
is_so('the holds are those that the shop has measured', $sum >= 0.999 * $shop->within - $bought, [$sum, $shop->within]);
$sum += 1e6 * $scrapes->of('stock', 'wait');
is_so('so are the waits', $sum <= 1.001 * $shop->around + $bought, [$sum, $shop->around]);
foreach (['stock', 'cart', 'order', 'price'] as $group) {
    foreach (['wait', 'hold'] as $what) {
        $scrapes->sumFits($group, $what) || print("$what of $group: the sum does not fit the buckets\n");
    }
}
is_between('scrapes', $scrapes->count, 30, PHP_INT_MAX);
is_so('each scrape had its page', $scrapes->missing === 0, $scrapes->missing);
$told = sprintf('%d requests in 15 s, %d workers, %d scrapes', $shop->of('begun'), count($workers), $scrapes->count);

$kills = $turn = 0;
$front = new Front($fpm);
$said = $front->load(12, 2.0, function () use ($front, $fpm, $scrape, &$kills, &$turn) {
    $alive = $fpm->workers();
    if (++$turn % 3 === 0 && $alive !== [] && posix_kill($alive[array_rand($alive)], SIGKILL)) {
        $kills++;
    }
    $scrape($front);
});
$begun = $shop->of('begun');
$answered = $front->end();
is_so('the pool is whole again', wait_until(fn () => count($fpm->workers()) === 16), $fpm->workers());
$last();
$shop = new Journal("$folder->path/journal");
is_so('workers were killed', $kills >= 5, $kills);
is_so('wrk lost no connection', !str_contains($said, 'Socket errors'), $said);
$statuses = array_count_values(array_column($answered, 0)) + [200 => 0, 502 => 0];
is_so('no request hung, and each kill cost one at most', $statuses[200] + $statuses[502] === count($answered) && $statuses[502] <= $kills && max(array_column($answered, 1)) < 30.0, [$statuses, $kills]);
is_between('those went to their ends that were not killed', count($answered) + $begun - $shop->of('ended'), 0, $kills);
$differences = differences($scrapes, $shop);
is_so('no number is less than the shop counted', min($differences) >= 0, $differences);
is_so('all together they are above it by one operation a kill at most', array_sum($differences) <= $kills, [$differences, $kills]);
is_between('each kill cost one scrape at most', $scrapes->missing, 0, $kills);
is_so('no number ever went down, and the histograms were always whole', $scrapes->wrong === [], array_slice($scrapes->wrong, 0, 10));
$said = $scrapes->promtool();
is_so('promtool has nothing against any scrape', $said === [], array_slice($said, 0, 10));
tell_numbers(sprintf('%s; then %d requests with %d kills, %d of them answered by 502, %d scrapes in all, the numbers above the shop\'s by %s',
    $told, count($answered), $kills, $statuses[502], $scrapes->count, array_sum($differences)));
?>
--EXPECT--
nginx ends with its last request: yes
wrk saw no error: yes
enough was sold: yes
all requests that came, the last ones of wrk too, went to their ends: yes
wrk did not wait for one a connection at most: yes
workers were replaced: yes
all numbers are what the shop counted: yes
none is held: yes
some waited, and some were built: yes
the holds are those that the shop has measured: yes
so are the waits: yes
scrapes: yes
each scrape had its page: yes
nginx ends with its last request: yes
the pool is whole again: yes
workers were killed: yes
wrk lost no connection: yes
no request hung, and each kill cost one at most: yes
those went to their ends that were not killed: yes
no number is less than the shop counted: yes
all together they are above it by one operation a kill at most: yes
each kill cost one scrape at most: yes
no number ever went down, and the histograms were always whole: yes
promtool has nothing against any scrape: yes
