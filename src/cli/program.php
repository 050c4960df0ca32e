<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What a command found at one server. */
final class Finding
{
    /** @param mixed $data for programs */
    public function __construct(public readonly int $status, public readonly mixed $data, public readonly string $text)
    {
    }
}

/** The commands. */
final class Program
{
    /** @var list<Server> several make a Redlock; each has its own part of a lock */
    private array $servers;

    public function __construct(private readonly Arguments $arguments)
    {
    }

    /** Returns the exit status. */
    public function run(): int
    {
        try {
            return $this->obey();
        } catch (Failure | \RedisLockException $e) {
            if (($this->arguments->words[0] ?? null) !== 'doctor') {
                throw $e;
            }
            return $this->tell(new Diagnosis([], [new Remark(Level::Unknown, 'command', $e->getMessage())], false));
        }
    }

    private function obey(): int
    {
        $this->arguments->wrong === null || throw $this->arguments->wrong;
        if ($this->arguments->has('help') || $this->arguments->words === ['help']) {
            echo HELP;
            return DONE;
        }
        if (!extension_loaded('redislock')) {
            $ini = php_ini_loaded_file() ?: 'no php.ini';
            throw new Failure('the extension redislock is not loaded into ' . PHP_BINARY . " ($ini): extension=redislock", TROUBLE);
        }
        if ($this->arguments->has('version')) {
            echo 'redislock ', phpversion('redislock'), "\n";
            return DONE;
        }
        return match ($this->arguments->words[0] ?? null) {
            'ls' => $this->atEach($this->list(...), $this->operands(0, 1)),
            'show' => $this->atEach($this->show(...), $this->operands(1, 1)),
            'watch' => $this->watch(...$this->operands(0, 1)),
            'release' => $this->atEach($this->release(...), $this->operands(1, 1)),
            'ping' => $this->atEach($this->ping(...), $this->operands(0, 0), 'max'),
            'doctor' => $this->doctor(...$this->operands(0, 0)),
            'metrics' => $this->metrics(...$this->operands(0, 0)),
            null => throw new Failure('which command? redislock --help tells', USAGE),
            default => throw new Failure("there is no command {$this->arguments->words[0]}: redislock --help", USAGE),
        };
    }

    /** Asks no server. */
    private function metrics(): int
    {
        $metrics = Numbers::of($this->arguments->value('uid'));
        echo $this->arguments->has('json')
            ? $this->encode($metrics, JSON_PRETTY_PRINT)
            : Exposition::of($metrics['machine'], $metrics['bounds'], $this->arguments->has('openmetrics'));
        return DONE;
    }

    /**
     * @param list<string> $operands
     * @param string $sum makes one status of several: 'min', it is done if it was anywhere; 'max', if it was everywhere
     */
    private function atEach(callable $command, array $operands, string $sum = 'min'): int
    {
        $this->servers ??= $this->servers();
        if (count($this->servers) === 1) {
            $finding = $command($this->servers[0], ...$operands);
            echo $this->arguments->has('json') ? $this->encode($finding->data, JSON_PRETTY_PRINT) : $finding->text;
            return $finding->status;
        }
        $statuses = $data = [];
        foreach ($this->servers as $server) {
            $label = $server->address->label;
            try {
                $finding = $command($server, ...$operands);
            } catch (Failure | \RedisLockException $e) { // the others may be there
                $finding = $e->getCode() === USAGE ? throw $e : new Finding(TROUBLE, ['error' => $e->getMessage()], Screen::text($e->getMessage()) . "\n");
            }
            $statuses[] = $finding->status;
            $data[$label] = $finding->data;
            echo $this->arguments->has('json') ? '' : "[$label]\n$finding->text\n";
        }
        echo $this->arguments->has('json') ? $this->encode($data, JSON_PRETTY_PRINT) : '';
        return in_array(TROUBLE, $statuses, true) ? TROUBLE : $sum($statuses);
    }

    private function list(Server $server, string $pattern = '*'): Finding
    {
        $all = new Locks($server);
        $locks = $all->find($pattern);
        foreach ($all->missing as $why) {
            fwrite(STDERR, 'redislock: not all locks are shown: ' . Screen::text($why) . "\n");
        }
        if ($locks === [] && $all->missing === [] && !$this->arguments->has('json')) {
            fwrite(STDERR, "no lock is held\n");
        }
        return new Finding($all->missing === [] ? DONE : TROUBLE, array_map(fn ($lock) => $lock->forJson(), $locks), $locks === [] ? '' : Screen::table($locks));
    }

    private function show(Server $server, string $name): Finding
    {
        $server->lock->remaining($name); // asks nobody, and throws if this is no name
        $locks = new Locks($server);
        $lock = $locks->get($name);
        if ($lock === null) {
            return new Finding(NO, ['name' => $name, 'state' => 'free'], Screen::text($name) . " is free\n");
        }
        [$fence, $line] = $locks->beside($lock);
        $connections = $locks->connections($lock);
        $more = ['key' => $lock->key, 'fence' => $fence, 'connections' => $connections, 'waiting' => $line?->forJson()];
        return new Finding(DONE, $lock->forJson() + $more, Screen::facts([
            'name' => $lock->name,
            'key' => $lock->key,
            'owner' => Screen::owner($lock),
            'token' => $lock->owner?->description === null ? null : $lock->owner->token,
            'since' => Screen::since($lock),
            'connected' => Screen::connections($connections),
            'lease' => Screen::lease($lock),
            'waiters' => $lock->waiters . ($line === null ? '; the user may not ask for them (NOPERM): it needs +zrangebyscore' : ''),
            'fence' => $fence === null ? null : (string) $fence,
        ]) . Screen::line($line, $lock));
    }

    private function release(Server $server, string $name): Finding
    {
        if (!$this->arguments->has('force')) {
            throw new Failure('this takes the lock from whoever holds it, who may go on as if it had it: say --force', USAGE);
        }
        $lock = (new Locks($server))->get($name);
        $released = $server->lock->forceUnlock($name);
        $text = ' is free';
        if ($released) {
            $text = ' was taken from ' . ($lock === null ? 'its owner' : Screen::owner($lock) . Screen::hadIt($lock));
            $text .= $lock?->waiters > 0 ? " and handed to the first of $lock->waiters waiting" : '';
        }
        $data = ['name' => $name, 'released' => $released, 'owner' => $lock?->owner?->token] + Lock::ownerForJson($lock);
        return new Finding($released ? DONE : NO, $data, Screen::text($name . $text) . "\n");
    }

    private function ping(Server $server): Finding
    {
        $facts = $server->cluster === null ? (new Checkup($server, $server->masters()[0], fn () => true))->run() : (new ClusterCheckup($server))->run();
        $text = Screen::server($facts);
        foreach (['warning' => $facts['warnings'], 'note' => $facts['notes']] as $kind => $lines) {
            foreach ($lines as $line) {
                $text .= "$kind: " . Screen::text($line) . "\n";
            }
        }
        return new Finding($this->statusOf($facts), $facts, $text);
    }

    /** @param array<string, mixed> $facts */
    private function statusOf(array $facts): int
    {
        $counts = $this->arguments->has('strict') ? [...$facts['warnings'], ...$facts['notes']] : $facts['warnings'];
        return match (true) {
            $facts['lock_and_unlock'] === null => TROUBLE,
            $counts !== [] => NO,
            default => DONE,
        };
    }

    private function doctor(): int
    {
        return $this->tell((new Doctor($this->servers(), $this->arguments->value('user')))->examine($this->arguments->has('strict')));
    }

    private function tell(Diagnosis $diagnosis): int
    {
        echo $this->arguments->has('json') ? $this->encode($diagnosis->forJson(), JSON_PRETTY_PRINT) : $diagnosis->text();
        return $diagnosis->status();
    }

    private function watch(string $pattern = '*'): int
    {
        $interval = $this->arguments->number('interval', 1, 0.05);
        $times = $this->arguments->number('count', INF, 1, whole: true);
        $terminal = !$this->arguments->has('json') && stream_isatty(STDOUT);
        $this->servers ??= $this->servers();
        for ($time = 1; ; $time++) {
            $shown = implode('', array_map(fn ($server) => $this->look($server, $pattern, $time === 1), $this->servers));
            // Over what was there, without a flicker.
            echo $terminal ? "\e[H" . str_replace("\n", "\e[K\n", $shown) . "\e[J" : $shown;
            if ($time >= $times || connection_aborted()) {
                return DONE;
            }
            usleep((int) ($interval * 1e6));
        }
    }

    /** One picture of `watch`. It survives a server that goes and comes back, but not one that was never there. */
    private function look(Server $server, string $pattern, bool $first): string
    {
        $label = $server->address->label;
        $all = new Locks($server);
        try {
            $locks = $all->find($pattern);
        } catch (Failure $e) {
            return $first ? throw $e : ($this->arguments->has('json') ? '' : date('H:i:s') . '  ' . Screen::text($e->getMessage()) . "\n\n");
        }
        if ($this->arguments->has('json')) {
            $missing = $all->missing === [] ? [] : ['missing' => $all->missing];
            return $this->encode(['time' => microtime(true), 'server' => $label, 'locks' => array_map(fn ($lock) => $lock->forJson(), $locks)] + $missing, 0);
        }
        $missing = implode('', array_map(fn ($why) => 'not shown: ' . Screen::text($why) . "\n", $all->missing));
        return sprintf("%s  %s, %d held\n%s\n%s\n", date('H:i:s'), $label, count($locks), $missing, $locks === [] ? '' : Screen::table($locks));
    }

    /** @return list<Server> those that the command line names, or php.ini */
    private function servers(): array
    {
        $given = $this->arguments->value('server');
        $prefix = $this->arguments->value('prefix') ?? (string) ini_get('redislock.prefix');
        $tls = $this->arguments->tls();
        $sentinels = $this->arguments->sentinels();
        $options = ['prefix' => $prefix, 'auto_release' => false] + $sentinels + ($tls === [] ? [] : ['tls' => $tls]);
        try {
            // The extension says what a server, a prefix and the options for TLS may be, and refuses some settings.
            $given !== null || new \RedisLock(null, $options);
            $dsns = $this->lookUp($given ?? (string) ini_get('redislock.servers'));
            $servers = array_map(fn ($dsn) => new Server($dsn, new \RedisLock($dsn, $options), $prefix, $tls, $sentinels), $dsns);
        } catch (\ValueError | \TypeError $e) {
            preg_match('/Argument #(\d) \(\$\w+\) (?:must be a server: )?(.*)/s', $e->getMessage(), $found);
            $what = $found[1] === '2' ? '' : ($given === null ? 'redislock.servers: ' : '--server: ');
            throw new Failure($what . $found[2], USAGE);
        }
        $typed = array_intersect($dsns, preg_split('/\s+/', $given ?? ''));
        if (array_filter(array_intersect_key($servers, $typed), fn ($server) => $server->address->password !== null)) {
            fwrite(STDERR, "redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME\n");
        }
        return $servers;
    }

    /** @return list<string> the servers that are named, and those that the environment variables hold that are named */
    private function lookUp(#[\SensitiveParameter] string $servers): array
    {
        $words = [];
        foreach (preg_split('/\s+/', trim($servers)) as $word) {
            $value = preg_match('/^env:(.+)/is', $word, $found) ? trim((string) getenv($found[1])) : $word;
            $value !== '' || $word === '' || throw new Failure("$word: the environment variable is not set", USAGE);
            array_push($words, ...($value === $word ? [$word] : preg_split('/\s+/', $value)));
        }
        return $words;
    }

    /** @return list<string> the words behind the command, if they are as many as it takes */
    private function operands(int $least, int $most): array
    {
        [$command, $words] = [$this->arguments->words[0], array_slice($this->arguments->words, 1)];
        return match (true) {
            count($words) < $least => throw new Failure("$command needs a NAME", USAGE),
            count($words) > $most => throw new Failure("what is $words[$most]? redislock --help tells", USAGE),
            default => $words,
        };
    }

    private function encode(mixed $value, int $flags): string
    {
        $json = json_encode($value, $flags | JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        return Screen::json($json) . "\n";
    }
}
