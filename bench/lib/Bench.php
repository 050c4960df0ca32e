<?php
declare(strict_types=1);

namespace Bench;

/**
 * Runs the workloads. Every one is run by all peers in turn before it is run again, in the reverse order, so that what the machine
 * does meanwhile meets all of them.
 */
final class Bench
{
    /** µs between the sections of a visitor: what a web server's process does at least before its next request asks */
    private const PAUSE = 1000;
    /** round trips by which the network is tuned */
    private const TUNING_PINGS = 100;
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
    private Network $network;
    /** @var array<string, Crew> */
    private array $crews = [];
    private int $began;
    private bool $backwards = false;

    /** @param array<string, mixed> $plan see plans.php */
    public function __construct(private readonly Peers $peers, private readonly array $plan, private readonly string $folder)
    {
        $this->began = hrtime(true);
        $this->server = new Server($folder);
        $this->network = new Network($folder, $this->server);
        foreach ($peers->present + $peers->control() as $id => $peer) {
            $this->crews[$id] = Crew::of($peer);
        }
        foreach ($peers->turns() as $id => $peer) {
            $this->crews["$id there"] = Crew::of($peer, machine: 'there');
        }
    }

    public function serverVersion(): string
    {
        return $this->server->version();
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
        $ping = fn ($path) => fn () => Stats::median($this->ping($path, self::TUNING_PINGS, self::PAUSE));
        $this->note('network', 'limit', $this->network->tune($ping('unix'), $ping('delayed')));
        if ($round < ($this->plan['uncontended']['rounds'] ?? PHP_INT_MAX)) {
            $this->timed('uncontended', function () {
                foreach (Places::all() as $place) {
                    $this->at($place, fn () => $this->uncontended($place->id));
                }
            });
        }
        foreach ($this->kinds() as $kind => [$peers, $habits]) {
            $this->timed($kind, function () use ($kind, $peers, $habits) {
                foreach ($this->plan[$kind] ?? [] as [$path, $processes, $hold]) {
                    $this->crowd($kind, $path, $processes, $hold, $peers, $habits);
                }
            });
        }
        $rest = [
            'waiting' => $this->waiting(...), 'idle' => $this->idle(...), 'burst' => $this->burst(...), 'names' => $this->names(...),
            'redlock' => $this->redlock(...), 'sale' => $this->sale(...), 'fpm' => $this->fpm(...),
        ];
        foreach ($rest as $what => $measure) {
            if ($round < ($this->plan[$what]['rounds'] ?? 0)) {
                $this->timed($what, fn () => $measure($this->plan[$what]));
            }
        }
    }

    /** @return array<string, array{array<string, Peer>, array<string, int>}> kind of crowd => who is measured, and what its processes do */
    private function kinds(): array
    {
        $turns = $this->peers->turns();
        return [
            'crowd' => [$this->peers->locks(), []],
            'few' => [$turns, []],
            'visitors' => [$this->peers->locks(), ['pause' => self::PAUSE]],
            'batch' => [$this->peers->locks(), ['most' => self::BATCH]],
            'machines' => [$turns, []],
            'mixed' => [array_diff_key($turns, ['ours' => 1]), []],
            'bridges' => [$this->peers->bridges(), []],
        ];
    }

    private function once(): void
    {
        $this->backwards = false; // the loop without a lock comes first
        $this->timed('memory', $this->memory(...));
        $this->timed('key', $this->key(...));
        if (getenv('BENCH_VALGRIND') === 'yes' && isset($this->plan['callgrind'])) {
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
        return ['unix' => $this->server->unix, 'direct' => $this->server->unix, 'tcp' => $this->server->tcp, 'delayed' => $this->network->url][$path];
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
                $this->replace($id, $peer);
            }
            $this->server->command('FLUSHALL');
        }
    }

    private function replace(string $id, Peer $peer): void
    {
        foreach (array_intersect_key([$id => 'here', "$id there" => 'there'], $this->crews) as $crew => $machine) {
            $this->crews[$crew]->end();
            $this->crews[$crew] = Crew::of($peer, machine: $machine);
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
        foreach (['at once' => 0, 'paced' => 1000] as $how => $pause) {
            $this->note("ping $path $place $how", 'limit', ['ms' => Stats::median($this->ping($path, $this->plan['pings'], $pause))]);
        }
    }

    /** @return float[] ms of each; $pause: µs before each */
    private function ping(string $path, int $count, int $pause): array
    {
        $file = "$this->folder/times";
        $this->crews['limit']->order(['do' => 'ping', 'servers' => [$this->url($path)], 'count' => $count, 'pause' => $pause, 'file' => $file]);
        return $this->times($file);
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
    private function crowd(string $kind, string $path, int $processes, int $hold, array $peers, array $habits): void
    {
        $workload = "$kind $path $processes $hold";
        $peers += $kind === 'crowd' && $hold > 0 && $processes >= 16 ? $this->peers->control() : [];
        $this->each($workload, $peers, function (Peer $peer) use ($kind, $workload, $path, $processes, $hold, $habits) {
            $order = $habits + ['hold' => $hold * 1000, 'patience' => 30];
            $is_batch = isset($habits['most']);
            $trips = $hold > 0 ? $this->trips($path, $hold) : NAN;
            $groups = $this->groups($kind, $peer, $processes);
            [$crowd, $before] = $this->gather($groups, [$this->url($path)], $order, $is_batch ? 60 : $this->plan['seconds']);
            $cost = $this->server->state()->since($before, $peer);
            $this->noteCrowd($workload, $peer, $crowd, $is_batch ? $crowd->span() / 1000 : $this->plan['seconds'], [$processes, $hold, $trips], $cost);
            if (count($groups) > 1) {
                $this->note($workload, $peer->id, ['share' => $crowd->shareBelow($groups[0][1])]);
            }
        });
    }

    /** @return array<array{Crew, int}> who takes part in a crowd, and with how many processes */
    private function groups(string $kind, Peer $peer, int $processes): array
    {
        $half = intdiv($processes, 2);
        return match ($kind) {
            'machines' => [[$this->crews[$peer->id], $half], [$this->crews["$peer->id there"], $half]],
            'mixed' => [[$this->crews[$peer->id], $half], [$this->crews['ours'], $half]],
            default => [[$this->crews[$peer->id], $processes]],
        };
    }

    /**
     * @param array{int, int, float} $size processes, ms of hold, ms of the raw loop's two round trips
     * @param array<string, float> $cost what it has cost the server
     */
    private function noteCrowd(string $workload, Peer $peer, Crowd $crowd, float $seconds, array $size, array $cost): void
    {
        [$processes, $hold, $trips] = $size;
        [$hold_ms, $release, $rate] = [$crowd->hold(), $crowd->release(), $crowd->inTime() / $seconds];
        [$cycle, $ideal] = [$hold_ms + $trips, $crowd->ideal($processes, $hold, $rate)];
        $this->note($workload, $peer->id, [
            'rate' => $rate,
            'turns' => $crowd->turns() / $seconds,
            'of_allowed' => $rate * $cycle / 1000,
            'of_own' => $hold > 0 ? $rate * ($hold_ms + 2 * $release) / 1000 : NAN,
            'of_hold' => $hold > 0 ? $rate * $hold_ms / 1000 : NAN,
            'of_fifo' => Stats::sorted($crowd->waits, 0.99) / (($processes - 1) * $cycle),
            'ideal' => $ideal,
            'of_ideal' => Stats::sorted($crowd->waits, 0.99) / $ideal,
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
    }

    private function waitsOf(string $workload, Peer $peer, Crowd $crowd): array
    {
        $this->waits[$workload][$peer->id] = [...$this->waits[$workload][$peer->id] ?? [], ...$crowd->waits];
        return ['p50' => Stats::sorted($crowd->waits, 0.5), 'p99' => Stats::sorted($crowd->waits, 0.99), 'max' => Stats::sorted($crowd->waits, 1)];
    }

    /** An empty folder in which each process of a crowd leaves its file. */
    private function crowdFolder(): string
    {
        $folder = "$this->folder/crowd";
        is_dir($folder) || mkdir($folder);
        array_map('unlink', glob("$folder/*"));
        return $folder;
    }

    /**
     * @param array<array{Crew, int}> $groups each with how many processes it has
     * @param callable|null $meanwhile is called with the ns at which it begins, and the pids of the processes
     * @return array{Crowd, State} and what the server had done before
     */
    private function gather(array $groups, array $servers, array $order, float $seconds, ?callable $meanwhile = null): array
    {
        $order += ['do' => 'crowd', 'servers' => $servers, 'name' => 'hot', 'pause' => 0, 'most' => 0, 'late' => 0, 'folder' => $this->crowdFolder()];
        $pids = [];
        foreach ($groups as [$crew, $processes]) {
            $ready = $crew->order(['first' => count($pids), 'processes' => $processes] + $order)['ready'];
            array_push($pids, ...$ready);
        }
        $before = $this->server->state();
        $from = hrtime(true) + 30000000;
        $until = $from + (int) ($seconds * 1e9);
        array_map(fn ($group) => $group[0]->tell(['from' => $from, 'until' => $until]), $groups);
        if ($meanwhile !== null) {
            $meanwhile($from, $pids);
        }
        array_map(fn ($group) => $group[0]->answer(), $groups);
        return [new Crowd($order['folder'], $from, $until), $before];
    }

    /** One holds the lock for long: what do those cost who wait? */
    private function waiting(array $plan): void
    {
        foreach ($plan['waiters'] as $waiters) {
            $this->each("waiting $waiters", $this->peers->locks(), fn (Peer $peer) => $this->wait("waiting $waiters", $peer, $waiters, $plan['seconds']));
        }
    }

    /** The same for longer, and of ours alone: to see what their processors do for it, which is little. */
    private function idle(array $plan): void
    {
        $workload = "idle $plan[waiters]";
        $this->each($workload, $this->peers->turns(), fn (Peer $peer) => $this->wait($workload, $peer, $plan['waiters'], $plan['seconds']));
    }

    private function wait(string $workload, Peer $peer, int $waiters, float $seconds): void
    {
        $order = ['hold' => (int) ($seconds * 1e6), 'patience' => 30, 'most' => 1, 'late' => 50000];
        $others = $this->server->state()->clients();
        $look = function (int $from, array $pids) use ($workload, $peer, $seconds, $others) {
            $pids = array_slice($pids, 1); // the first one has the lock
            $at = fn (float $seconds) => usleep((int) max(1, ($from + $seconds * 1e9 - hrtime(true)) / 1e3));
            $at(0.4);
            [$before, $used, $start] = [$this->server->state(), self::processorTime($pids), hrtime(true)];
            $at($seconds - 0.2);
            [$after, $used, $took] = [$this->server->state(), self::processorTime($pids) - $used, (hrtime(true) - $start) / 1e9];
            $cost = $after->since($before, $peer);
            $this->note($workload, $peer->id, [
                'requests' => $cost['requests'] / $took,
                'cpu' => $cost['cpu'] / $took,
                'waiters' => $used / $took,
                'clients' => $after->clients() - $others,
            ]);
        };
        $this->gather([[$this->crews[$peer->id], $waiters + 1]], [$this->url('direct')], $order, 0.04, $look);
    }

    /** What the processes have used so far, in s. The counters in `stat` are too coarse for who sleeps nearly all the time. */
    private static function processorTime(array $pids): float
    {
        return array_sum(array_map(fn ($pid) => (int) @file_get_contents("/proc/$pid/schedstat"), $pids)) / 1e9 ?: NAN;
    }

    /** Many arrive at the same moment, each for one section. */
    private function burst(array $plan): void
    {
        $workload = "burst $plan[processes]";
        $this->each($workload, $this->peers->locks(), function (Peer $peer) use ($workload, $plan) {
            $order = ['hold' => 0, 'patience' => self::PATIENCE, 'most' => 1];
            [$crowd] = $this->gather([[$this->crews[$peer->id], $plan['processes']]], [$this->url('direct')], $order, 30);
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
                        $order = ['hold' => 1000, 'patience' => 10];
                        [$crowd] = $this->gather([[$this->crews[$peer->id], 4]], $urls, $order, $plan['seconds']);
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
        $this->atWeb('flash sale', function (Web $web) use ($plan) {
            $sale = new Sale($this->folder, $web, $plan['seconds']);
            foreach (['none', ...array_keys($this->peers->locks())] as $id) {
                $peer = $this->peers->present[$id] ?? null;
                if ($peer === null || !$peer->isBefore()) {
                    $this->note('sale', $id, $sale->run($id));
                    $this->server->command('FLUSHALL');
                }
            }
        });
    }

    /** A crowd of PHP-FPM's workers. */
    private function fpm(array $plan): void
    {
        $this->atWeb('php-fpm', function (Web $web) use ($plan) {
            foreach ($plan['paths'] as $path) {
                foreach ($plan['holds'] as $hold) {
                    $workload = 'fpm ' . $path . ' ' . Web::PROCESSES . " $hold";
                    $this->each($workload, $this->peers->turns(), fn (Peer $peer) => $this->requests($workload, $peer, $web, $path, $hold, $plan['seconds']));
                }
            }
        });
    }

    private function requests(string $workload, Peer $peer, Web $web, string $path, int $hold, float $seconds): void
    {
        $query = ['lock' => $peer->id, 'path' => $path, 'hold' => $hold * 1000, 'folder' => $this->crowdFolder()];
        $trips = $hold > 0 ? $this->trips($path, $hold) : NAN;
        [$before, $from] = [$this->server->state(), hrtime(true)];
        $web->wrk('hold.php', $query, $seconds);
        [$until, $cost] = [hrtime(true), $this->server->state()->since($before, $peer)];
        $web->settle();
        $crowd = new Crowd($query['folder'], $from, $until);
        $this->noteCrowd($workload, $peer, $crowd, ($until - $from) / 1e9, [Web::PROCESSES, $hold, $trips], $cost);
    }

    /** Does something with nginx and php-fpm, if they are there; if it fails, the other workloads go on. */
    private function atWeb(string $what, callable $measure): void
    {
        if (!Web::isPossible()) {
            return;
        }
        $web = new Web($this->folder, $this->server, ['direct' => $this->url('direct'), 'delayed' => $this->url('delayed')]);
        try {
            $web->open();
            $measure($web);
        } catch (\RuntimeException $e) {
            $this->errors[] = "$what: {$e->getMessage()}";
            say(end($this->errors));
        } finally {
            $web->close();
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
        $this->network->end();
        $this->server->stop();
    }
}

function say(string $text): void
{
    fwrite(STDERR, sprintf("%s  %s\n", date('H:i:s'), $text));
}
