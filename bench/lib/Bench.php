<?php
declare(strict_types=1);

namespace Bench;

/**
 * Runs the workloads. Every one is run by all peers in turn before it is run again, in the reverse order, so that what the machine
 * does meanwhile meets all of them.
 */
final class Bench
{
    /** ms that each way through the proxy takes */
    public const DELAY = 0.25;
    /** µs between the sections of a visitor: what a web server's process does at least before its next request asks */
    private const PAUSE = 1000;
    /** sections of each process of a batch */
    private const BATCH = 20;
    /** s that a process of a burst waits */
    public const PATIENCE = 10;

    /** @var array<string, array<string, array<string, float[]>>> workload => peer => what => one number a run */
    public array $results = [];
    /** @var array<string, array<string, float[]>> workload => peer => waits of all runs, in ms */
    public array $waits = [];
    /** @var string[] what went wrong */
    public array $errors = [];

    /** @var array<string, float> workload => seconds that all of its runs took */
    public array $took = [];

    private Server $server;
    private string $delayed;
    /** @var resource */
    private $proxy;
    /** @var resource the proxy ends with it */
    private $proxyInput;
    /** @var array<string, Crew> */
    private array $crews = [];
    private int $began;
    private bool $backwards = false;

    /** @param array<string, mixed> $plan see plans.php */
    public function __construct(private readonly Peers $peers, private readonly array $plan, private readonly string $folder)
    {
        $this->began = hrtime(true);
        $this->server = new Server($folder);
        $this->delayed = $this->startProxy();
        foreach ($peers->present as $id => $peer) {
            $this->crews[$id] = Crew::of($peer);
        }
    }

    public function serverVersion(): string
    {
        return $this->server->version();
    }

    private function startProxy(): string
    {
        $socket = "$this->folder/proxy.sock";
        $command = [getenv('BENCH_PROXY'), $socket, $this->server->socket, (string) (self::DELAY * 1000)];
        $this->proxy = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
        fgets($pipes[1]) === "ready\n" || throw new \RuntimeException('the proxy does not start');
        $this->proxyInput = $pipes[0];
        return "unix://$socket";
    }

    public function run(): void
    {
        for ($round = 0; $round < $this->plan['rounds']; $round++) {
            if ($round > 0 && $this->elapsed() + $this->expected($round) > $this->plan['budget']) {
                say("no time for more than $round runs of all");
                break;
            }
            say(sprintf('run %d of %d', $round + 1, $this->plan['rounds']));
            $this->backwards = $round % 2 === 1;
            $this->round($round);
        }
        $this->once();
    }

    /** How long a run will take: the mean of those before, of what is still to be repeated. */
    private function expected(int $round): float
    {
        $again = fn ($what) => $round < ($this->plan[$what]['rounds'] ?? PHP_INT_MAX);
        return array_sum(array_filter($this->took, $again, ARRAY_FILTER_USE_KEY)) / $round;
    }

    private function elapsed(): float
    {
        return (hrtime(true) - $this->began) / 1e9;
    }

    private function round(int $round): void
    {
        if ($round < ($this->plan['uncontended']['rounds'] ?? PHP_INT_MAX)) {
            $this->timed('uncontended', function () {
                foreach (Places::all() as $place) {
                    $this->at($place, fn () => $this->uncontended($place->id));
                }
            });
        }
        foreach (['crowd' => ['pause' => 0], 'visitors' => ['pause' => self::PAUSE], 'batch' => ['most' => self::BATCH]] as $kind => $habits) {
            $this->timed($kind, function () use ($kind, $habits) {
                foreach ($this->plan[$kind] as [$path, $processes, $hold]) {
                    $this->crowd($kind, $path, $processes, $hold, $habits);
                }
            });
        }
        $rest = ['waiting' => $this->waiting(...), 'burst' => $this->burst(...), 'names' => $this->names(...), 'redlock' => $this->redlock(...), 'sale' => $this->sale(...)];
        foreach ($rest as $what => $measure) {
            if ($round < $this->plan[$what]['rounds']) {
                $this->timed($what, fn () => $measure($this->plan[$what]));
            }
        }
    }

    private function once(): void
    {
        $this->backwards = false; // the loop without a lock comes first
        $this->timed('memory', $this->memory(...));
        $this->timed('key', $this->key(...));
        if (getenv('BENCH_VALGRIND') === 'yes') {
            $this->timed('instructions', $this->instructions(...));
        }
    }

    private function timed(string $what, callable $measure): void
    {
        $start = $this->elapsed();
        $measure();
        $this->took[$what] = ($this->took[$what] ?? 0) + $this->elapsed() - $start;
    }

    private function url(string $path): string
    {
        return ['unix' => $this->server->unix, 'direct' => $this->server->unix, 'tcp' => $this->server->tcp, 'delayed' => $this->delayed][$path];
    }

    /** Notes one run's numbers. */
    private function note(string $workload, string $peer, array $numbers): void
    {
        foreach ($numbers as $what => $number) {
            $this->results[$workload][$peer][$what][] = $number;
        }
    }

    /** Runs $measure for each of $peers; one that fails is told of, and does not end the others. */
    private function each(string $workload, array $peers, callable $measure): void
    {
        foreach ($this->backwards ? array_reverse($peers, true) : $peers as $id => $peer) {
            try {
                $measure($peer);
            } catch (\Throwable $e) {
                $this->errors[] = "$workload, $peer->label: {$e->getMessage()}";
                say(end($this->errors));
                $this->crews[$id]->end();
                $this->crews[$id] = Crew::of($peer);
            }
            $this->server->command('FLUSHALL');
        }
    }

    /** Binds the server and who is measured alone to processors, for a while: what they fork would inherit it. */
    private function at(Place $place, callable $measure): void
    {
        $bind = function (Place $place) {
            $place->bind($place->server, $this->server->pid());
            array_map(fn ($crew) => $place->bind($place->client, $crew->pid()), $this->crews);
        };
        $bind($place);
        try {
            $measure();
        } finally {
            $bind(Places::free());
        }
    }

    /** One process. The proxy needs a processor too, so what goes through it is not bound to any. */
    private function uncontended(string $place): void
    {
        foreach ($place === 'free' ? ['delayed'] : ['unix', 'tcp'] as $path) {
            $this->pings($path, $place);
            $this->pairs($path, $place);
        }
    }

    /** The workload that measures the round trip with which a crowd's hand-off is compared. */
    public static function pingLike(string $path, int $hold): string
    {
        [$path, $place] = $path === 'delayed' ? [$path, 'free'] : ['unix', count(Places::all()) > 2 ? 'two' : 'one'];
        return "ping $path $place " . ($hold === 0 ? 'at once' : 'paced');
    }

    private function pings(string $path, string $place): void
    {
        $file = "$this->folder/times";
        foreach (['at once' => 0, 'paced' => 1000] as $how => $pause) {
            $this->crews['limit']->order(['do' => 'ping', 'servers' => [$this->url($path)], 'count' => $this->plan['pings'], 'pause' => $pause, 'file' => $file]);
            $this->note("ping $path $place $how", 'limit', ['ms' => Stats::median($this->times($file))]);
        }
    }

    /** @return float[] in ms */
    private function times(string $file): array
    {
        return array_map(fn ($ns) => $ns / 1e6, array_values(unpack('q*', file_get_contents($file))));
    }

    /**
     * Lock and unlock. In many short rounds of four turns: the limit, the peer twice, the limit. What the machine does
     * meanwhile meets both, and a round that was disturbed is one of many. The limit is held against itself too.
     */
    private function pairs(string $path, string $place): void
    {
        $this->each("uncontended $path $place", $this->peers->present, function (Peer $peer) use ($path, $place) {
            ['rounds' => $rounds, 'count' => $count] = $this->plan['pairs'][$path];
            $this->turn('limit', $path, 20);
            $this->turn($peer->id, $path, 20);
            $times = $ratios = $costs = [];
            for ($round = 0; $round < $rounds; $round++) {
                [$limit, $own] = [$this->turn('limit', $path, $count), 0];
                $before = $this->server->state();
                for ($i = 0; $i < 2; $i++) {
                    $own += $this->turn($peer->id, $path, $count);
                    array_push($times, ...$this->times("$this->folder/times"));
                }
                $costs[] = $this->server->state()->since($before, $peer);
                $ratios[] = $own / ($limit + $this->turn('limit', $path, $count));
            }
            sort($times);
            $this->note("uncontended $path $place", $peer->id, [
                'p50' => Stats::sorted($times, 0.5),
                'p99' => Stats::sorted($times, 0.99),
                'rate' => 1000 / Stats::mean($times),
                'to_limit' => Stats::median($ratios),
                ...self::eachOf($costs, count($times)),
            ]);
        });
    }

    /** @return int ns of so many pairs; each of them is in the file */
    private function turn(string $peer, string $path, int $count): int
    {
        return $this->crews[$peer]->order(['do' => 'pairs', 'servers' => [$this->url($path)], 'name' => 'pair', 'count' => $count, 'file' => "$this->folder/times"])['ns'];
    }

    /** What two round trips take, in ms, where the process sleeps between them as long as a section takes. */
    private function trips(string $path, int $hold): float
    {
        $file = "$this->folder/times";
        $this->crews['limit']->order(['do' => 'pairs', 'servers' => [$this->url($path)], 'name' => 'trips', 'count' => $this->plan['trips'], 'hold' => $hold * 1000, 'file' => $file]);
        return Stats::median($this->times($file));
    }

    /** @param array<array<string, float>> $costs what it cost in several turns; together, of each of $count */
    private static function eachOf(array $costs, int $count): array
    {
        $of = [];
        foreach (array_keys($costs[0]) as $what) {
            $of[$what] = array_sum(array_column($costs, $what)) / max(1, $count);
        }
        return $of;
    }

    /** One hot name. A batch ends when each process has had its sections, the others when the time is over. */
    private function crowd(string $kind, string $path, int $processes, int $hold, array $habits): void
    {
        $workload = "$kind $path $processes $hold";
        $this->each($workload, $this->peers->locks(), function (Peer $peer) use ($workload, $path, $processes, $hold, $habits) {
            $order = $habits + ['processes' => $processes, 'hold' => $hold * 1000, 'patience' => 30];
            $is_batch = isset($habits['most']);
            $trips = $hold > 0 ? $this->trips($path, $hold) : NAN;
            [$crowd, $before] = $this->gather($peer, [$this->url($path)], $order, $is_batch ? 60 : $this->plan['seconds']);
            $cost = $this->server->state()->since($before, $peer);
            $seconds = $is_batch ? $crowd->span() / 1000 : $this->plan['seconds'];
            $rate = $crowd->inTime() / $seconds;
            [$hold_ms, $release] = [$crowd->hold(), $crowd->release()];
            $cycle = $hold_ms + $trips;
            $this->note($workload, $peer->id, [
                'rate' => $rate,
                'turns' => $crowd->turns() / $seconds,
                'of_allowed' => $rate * $cycle / 1000,
                'of_own' => $hold > 0 ? $rate * ($hold_ms + 2 * $release) / 1000 : NAN,
                'of_fifo' => Stats::sorted($crowd->waits, 0.99) / (($processes - 1) * $cycle),
                ...$this->waitsOf($workload, $peer, $crowd),
                'jain' => $crowd->jain(),
                'overtaken' => $crowd->overtaken(),
                'hold' => $hold_ms,
                'trips' => $trips,
                'release' => $release,
                'handoff50' => Stats::median($crowd->handOffs()),
                'handoff99' => Stats::quantile($crowd->handOffs(), 0.99),
                'overlaps' => $crowd->overlaps(),
                'given_up' => $crowd->givenUp,
                ...self::eachOf([$cost], $crowd->count()),
            ]);
        });
    }

    private function waitsOf(string $workload, Peer $peer, Crowd $crowd): array
    {
        $this->waits[$workload][$peer->id] = [...$this->waits[$workload][$peer->id] ?? [], ...$crowd->waits];
        return ['p50' => Stats::sorted($crowd->waits, 0.5), 'p99' => Stats::sorted($crowd->waits, 0.99), 'max' => Stats::sorted($crowd->waits, 1)];
    }

    /**
     * @param callable|null $meanwhile is called with the ns at which it begins
     * @return array{Crowd, State} and what the server had done before
     */
    private function gather(Peer $peer, array $servers, array $order, float $seconds, ?callable $meanwhile = null): array
    {
        $folder = "$this->folder/crowd";
        is_dir($folder) || mkdir($folder);
        array_map('unlink', glob("$folder/*"));
        $crew = $this->crews[$peer->id];
        $crew->order($order + ['do' => 'crowd', 'servers' => $servers, 'name' => 'hot', 'pause' => 0, 'most' => 0, 'late' => 0, 'folder' => $folder]);
        $before = $this->server->state();
        $from = hrtime(true) + 30000000;
        $until = $from + (int) ($seconds * 1e9);
        $crew->tell(['from' => $from, 'until' => $until]);
        if ($meanwhile !== null) {
            $meanwhile($from);
        }
        $crew->answer();
        return [new Crowd($folder, $order['processes'], $from, $until), $before];
    }

    /** One holds the lock for long: what do those cost who wait? */
    private function waiting(array $plan): void
    {
        foreach ($plan['waiters'] as $waiters) {
            $workload = "waiting $waiters";
            $this->each($workload, $this->peers->locks(), function (Peer $peer) use ($workload, $plan, $waiters) {
                $order = ['processes' => $waiters + 1, 'hold' => (int) ($plan['seconds'] * 1e6), 'patience' => 30, 'most' => 1, 'late' => 50000];
                $others = $this->server->state()->clients();
                $this->gather($peer, [$this->url('direct')], $order, 0.04, function (int $from) use ($workload, $peer, $plan, $others) {
                    $at = fn (float $seconds) => usleep((int) max(1, ($from + $seconds * 1e9 - hrtime(true)) / 1e3));
                    $at(0.4);
                    $before = $this->server->state();
                    $start = hrtime(true);
                    $at($plan['seconds'] - 0.2);
                    $after = $this->server->state();
                    $seconds = (hrtime(true) - $start) / 1e9;
                    $cost = $after->since($before, $peer);
                    $this->note($workload, $peer->id, [
                        'requests' => $cost['requests'] / $seconds,
                        'cpu' => $cost['cpu'] / $seconds,
                        'clients' => $after->clients() - $others,
                    ]);
                });
            });
        }
    }

    /** Many arrive at the same moment, each for one section. */
    private function burst(array $plan): void
    {
        $workload = "burst $plan[processes]";
        $this->each($workload, $this->peers->locks(), function (Peer $peer) use ($workload, $plan) {
            $order = ['processes' => $plan['processes'], 'hold' => 0, 'patience' => self::PATIENCE, 'most' => 1];
            [$crowd] = $this->gather($peer, [$this->url('direct')], $order, 30);
            $this->note($workload, $peer->id, [
                ...$this->waitsOf($workload, $peer, $crowd),
                'span' => $crowd->span(),
                'overlaps' => $crowd->overlaps(),
                'given_up' => $crowd->givenUp,
            ]);
        });
    }

    private function names(array $plan): void
    {
        $this->each('names', array_intersect_key($this->peers->present, ['limit' => 1] + $this->peers->locks()), function (Peer $peer) use ($plan) {
            $took = $this->crews[$peer->id]->order(['do' => 'names', 'servers' => [$this->url('unix')], 'count' => $plan['count']]);
            $this->note('names', $peer->id, ['lock' => $took['lock'] / 1e6, 'unlock' => $took['unlock'] / 1e6]);
        });
    }

    /** Five nodes: all well, then one that says nothing. */
    private function redlock(array $plan): void
    {
        $peers = array_intersect_key($this->peers->present, ['limit' => 1, 'ours' => 1, 'before' => 1, 'symfony' => 1]);
        $nodes = array_map(fn ($number) => new Server($this->folder, $number), range(1, 5));
        $urls = array_map(fn ($node) => $node->unix, $nodes);
        try {
            foreach (['well' => $plan['pairs'], 'one silent' => $plan['silent']] as $health => $count) {
                $this->each("redlock $health", $peers, function (Peer $peer) use ($health, $count, $urls, $nodes, $plan) {
                    $pairs = ['do' => $peer->isLimit() ? 'majority' : 'pairs', 'servers' => $urls, 'name' => 'pair', 'file' => "$this->folder/times"];
                    $this->crews[$peer->id]->order(($peer->isLimit() ? ['do' => 'nodes'] : ['count' => 3]) + $pairs);
                    if ($health !== 'well') {
                        $nodes[2]->signal(SIGSTOP);
                    }
                    try {
                        $this->crews[$peer->id]->order(['count' => $count] + $pairs);
                        $times = $this->times("$this->folder/times");
                        $this->note("redlock $health", $peer->id, ['p50' => Stats::median($times), 'p99' => Stats::quantile($times, 0.99)]);
                    } finally {
                        $nodes[2]->signal(SIGCONT);
                    }
                    if ($health === 'well') {
                        $this->crews[$peer->id]->order(['do' => 'pairs', 'servers' => [$urls[0]], 'count' => $count] + $pairs);
                        $this->note('redlock well', $peer->id, ['one' => Stats::median($this->times("$this->folder/times"))]);
                    }
                    if ($health === 'well' && !$peer->isLimit()) {
                        $order = ['processes' => 4, 'hold' => 1000, 'patience' => 10];
                        [$crowd] = $this->gather($peer, $urls, $order, $plan['seconds']);
                        $waits = $this->waitsOf('redlock crowd', $peer, $crowd);
                        $this->note('redlock crowd', $peer->id, ['rate' => $crowd->inTime() / $plan['seconds'], 'overlaps' => $crowd->overlaps(), ...$waits]);
                    }
                });
            }
        } finally {
            array_map(fn ($node) => $node->stop(), $nodes);
        }
    }

    private function sale(array $plan): void
    {
        $sale = new Sale($this->folder, $this->server, $plan['seconds']);
        if (!$sale->possible()) {
            return;
        }
        try {
            $sale->open();
            foreach (['none', ...array_keys($this->peers->locks())] as $id) {
                $peer = $this->peers->present[$id] ?? null;
                if ($peer === null || !$peer->isBefore()) {
                    $this->note('sale', $id, $sale->run($id));
                    $this->server->command('FLUSHALL');
                }
            }
        } catch (\RuntimeException $e) {
            $this->errors[] = "flash sale: {$e->getMessage()}";
            say(end($this->errors));
        } finally {
            $sale->close();
        }
    }

    private function memory(): void
    {
        $this->each('memory', $this->peers->locks(), function (Peer $peer) {
            // In a process that is new, and then has what a connection needs besides the code.
            for ($i = 0; $i < $this->plan['memory']; $i++) {
                $crew = Crew::of($peer);
                $this->note('memory', $peer->id, $crew->order(['do' => 'memory', 'servers' => [$this->url('unix'), $this->url('tcp')]]));
                $crew->end();
            }
        });
    }

    /** What the key of a lock takes of Redis' memory, with an owner in the token and without. */
    private function key(): void
    {
        $this->each('key', array_intersect_key($this->peers->present, ['ours-once' => 1, 'ours-unnamed' => 1]), function (Peer $peer) {
            $this->crews[$peer->id]->order(['do' => 'hold', 'servers' => [$this->url('unix')], 'name' => 'SKU0001']);
            $this->note('key', $peer->id, ['bytes' => (float) $this->server->command('MEMORY', 'USAGE', 'lock:SKU0001')]);
        });
    }

    /** By callgrind, which counts the instructions of user space: a run of more pairs less a run of fewer. */
    private function instructions(): void
    {
        $loop = Peer::none();
        $this->crews[$loop->id] = Crew::of($loop);
        $peers = [$loop->id => $loop] + array_intersect_key($this->peers->present, array_flip($this->plan['callgrind']['peers']));
        $this->each('instructions', $peers, function (Peer $peer) {
            $counts = array_map(fn ($pairs) => $this->callgrind($peer, $pairs), $this->plan['callgrind']['pairs']);
            // What the loop and the adapter of PHP do without any lock is not the lock's.
            $loop = in_array($peer->id, ['limit', 'none'], true) ? 0 : $this->results['instructions']['none']['pair'][0];
            for ($i = 1; $i < count($counts); $i++) {
                $more = $this->plan['callgrind']['pairs'][$i] - $this->plan['callgrind']['pairs'][$i - 1];
                $this->note('instructions', $peer->id, ['pair' => ($counts[$i] - $counts[$i - 1]) / $more - $loop]);
            }
        });
    }

    private function callgrind(Peer $peer, int $pairs): int
    {
        $file = "$this->folder/callgrind.$peer->id.$pairs";
        $crew = Crew::of($peer, ['valgrind', '-q', '--tool=callgrind', "--callgrind-out-file=$file"]);
        $crew->order(['do' => 'pairs', 'servers' => [$this->url('unix')], 'name' => 'pair', 'count' => $pairs, 'file' => '']);
        $crew->end();
        preg_match('/^(?:summary|totals): (\d+)/m', file_get_contents($file), $found) || throw new \RuntimeException('callgrind says nothing');
        return (int) $found[1];
    }

    public function end(): void
    {
        array_map(fn ($crew) => $crew->end(), $this->crews);
        fclose($this->proxyInput);
        proc_close($this->proxy);
        $this->server->stop();
    }
}

function say(string $text): void
{
    fwrite(STDERR, sprintf("%s  %s\n", date('H:i:s'), $text));
}
