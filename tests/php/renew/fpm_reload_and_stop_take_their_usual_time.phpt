--TEST--
php-fpm: workers with the renewing thread reload and stop as fast as those without, also while Redis hangs
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
require __DIR__ . '/renew.inc';
skip_without_fpm();
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

const WORKERS = 4;

/** A php-fpm with a Redis of its own. Two of its workers are in a section, two are idle; all have renewed a lease, or none has. */
final class Site
{
    public readonly RedisServer $server;
    public readonly Fpm $fpm;
    /** @var int[] the workers that it began with */
    public readonly array $workers;
    /** @var FcgiRequest[] */
    private array $sections = [];

    public function __construct(private readonly bool $renews)
    {
        $this->server = RedisServer::start();
        $this->fpm = Fpm::start(WORKERS, ['[global]', 'process_control_timeout = 20']); // without, it ends requests by SIGTERM
        $this->fpm->script('section.php', '<?php
            // A lease that is over would not be released, and the request would end sooner.
            $lock = new RedisLock($_GET["dsn"], ["expire" => $_GET["renew"] ? 1.8 : 30, "renew" => (bool) $_GET["renew"]]);
            $lock->lock($_GET["name"]);
            $until = microtime(true) + 30;
            while ($_GET["renew"] && RedisLock::stats()["renewed"] === 0 && microtime(true) < $until) {
                usleep(1000);
            }
            echo RedisLock::stats()["renewed"] > 0 ? "renewed" : "not renewed";
            flush();
            while (!file_exists($_GET["end"]) && microtime(true) < $until) {
                usleep(1000);
            }');
        $this->workers = $this->fpm->workers();
    }

    /** Begins a request that holds a lock until there is a file of that name. */
    public function section(string $name, string $end): FcgiRequest
    {
        return $this->fpm->request('section.php', ['dsn' => $this->server->dsn(), 'renew' => (int) $this->renews, 'name' => $name, 'end' => $this->fpm->path($end)]);
    }

    /** Brings it to where it is as said above. Behind the start of all others, which would inherit the connections. */
    public function prepare(): void
    {
        for ($i = 0; $i < WORKERS; $i++) {
            $this->sections[] = $this->section("n$i", $i < WORKERS / 2 ? 'end later' : 'end at once');
        }
        foreach ($this->sections as $section) {
            $section->awaitBody();
        }
        touch($this->fpm->path('end at once'));
        foreach (array_splice($this->sections, WORKERS / 2) as $section) {
            $section->finish();
        }
    }

    public function signal(string $signal): void
    {
        $this->fpm->signal($signal);
        touch($this->fpm->path('end later'));
    }

    /** Has it stopped, or reloaded? A worker waits until the client has taken its response. */
    public function isDone(string $signal): bool
    {
        $this->sections = array_filter($this->sections, fn ($section) => !$section->pump());
        if ($signal !== 'USR2') {
            return $this->fpm->wait(0);
        }
        $workers = $this->fpm->workers();
        return count($workers) === WORKERS && !array_intersect($workers, $this->workers);
    }
}

/** The seconds that each of them takes. They go at the same time, so what disturbs one disturbs the other. */
function times(string $signal, Site ...$sites): array
{
    $took = [];
    held_up_from_now();
    foreach ($sites as $i => $site) {
        $began[$i] = hrtime(true);
        $site->signal($signal);
    }
    wait_until(function () use ($signal, $sites, $began, &$took) {
        foreach ($sites as $i => $site) {
            if (!isset($took[$i]) && $site->isDone($signal)) {
                $took[$i] = (hrtime(true) - $began[$i]) / 1e9;
            }
        }
        return count($took) === count($sites);
    });
    return $took;
}

foreach (['USR2', 'QUIT', 'TERM'] as $signal) {
    foreach (['', ', Redis hangs'] as $i => $hangs) {
        [$base, $renewing] = $sites = [new Site(false), new Site(true)];
        $base->prepare();
        $renewing->prepare();
        echo "SIG$signal$hangs: threads without and with a renewed lease: ", max($base->fpm->ofEachWorker('threads')), ' ', min($renewing->fpm->ofEachWorker('threads')), "\n";
        if ($hangs) {
            $base->server->pause();
            $renewing->server->pause();
            usleep(700_000); // a lease is due after 0.6 s
        }
        [$usual, $took] = times($signal, ...$sites) + [30.0, INF];
        took_between('took no longer, seconds', $took, 0, $usual + 0.4);
        tell_numbers(sprintf('php-fpm: SIG%s%s: %.3f s, without renewed leases %.3f s', $signal, $hangs, $took, $usual));
        $renewing->server->resume();
        if ($signal !== 'TERM' && !$hangs) {
            is_so('the sections have released', wait_until(fn () => all_keys($renewing->server->client()) === [], 1));
        }
        if ($signal === 'USR2') {
            echo 'a new worker: ', $renewing->fpm->get('section.php', ['dsn' => $renewing->server->dsn(), 'renew' => 1, 'name' => 'y', 'end' => $renewing->fpm->path('end later')]), "\n";
        }
    }
}
?>
--EXPECT--
SIGUSR2: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
the sections have released: yes
a new worker: renewed
SIGUSR2, Redis hangs: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
a new worker: renewed
SIGQUIT: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
the sections have released: yes
SIGQUIT, Redis hangs: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
SIGTERM: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
SIGTERM, Redis hangs: threads without and with a renewed lease: 1 2
took no longer, seconds: yes
