<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Whether a Redis can be locked on, and what about it endangers locks. */
final class Checkup extends Check
{
    private Patient $patient;

    /**
     * @param \Closure(string): bool $isHere whether a name that is to be tried has its lock at this node
     * @param list<\Closure(Patient): Check> $further what else looks at it
     */
    public function __construct(
        private readonly Server $server,
        private readonly Node $node,
        private readonly \Closure $isHere,
        private readonly array $further = [],
    ) {
    }

    /** @return array<string, mixed> */
    public function run(): array
    {
        $roundTrip = $this->median(5, function () use (&$allowed) {
            $allowed = $this->node->ping();
        });
        $patient = $this->patient = new Patient($this->server, $this->node);
        $allowed || $this->notChecked('latency', 'PING is refused: the round trip is that of the refusal', 'allow PING', $patient->allow('+ping'));
        $patient->facts = [
            'server' => $this->node->where ?? $this->server->address->label,
            'product' => $patient->info === [] ? null : ($patient->get('server_name') ?: 'redis'),
            'version' => $patient->version(),
            'mode' => $patient->get('redis_mode') ?? $patient->get('server_mode'),
            'role' => $patient->get('role'),
            'replicas' => $patient->number('connected_slaves'),
            'round_trip' => $roundTrip,
            'lock_and_unlock' => null,
            'used_memory' => $patient->number('used_memory'),
            'maxmemory' => $patient->number('maxmemory'),
            'maxmemory_policy' => $patient->get('maxmemory_policy'),
            'aof' => $patient->info === [] ? null : $patient->get('aof_enabled') === '1',
            'save' => $patient->config('save'),
            'clients' => $patient->number('connected_clients'),
            'keys' => $this->node->tryTo('DBSIZE'),
        ];
        if ($this->server->sentinels !== null) {
            $patient->facts += $this->askSentinels($this->server->sentinels);
        }
        if ($this->server->cluster !== null) {
            $patient->facts['min_replicas'] = $this->demandsReplicas();
            $this->examineReplicas('cluster');
        }
        $this->examineServer();
        $this->examineMemory();
        $this->examinePersistence();
        $this->examineDatabase();
        $patient->facts['lock_and_unlock'] = $this->tryToLock();
        $patient->facts += $this->examineLocalTurns();
        foreach ($this->further as $look) {
            array_push($this->remarks, ...$look($patient)->remarks);
        }
        return $patient->facts + ['warnings' => $this->warnings(), 'notes' => $this->notes()];
    }

    /** What no look at settings can tell: rights, memory, a replica, a disk that is full. Null: it could not. */
    private function tryToLock(): ?float
    {
        $name = $this->nameHere();
        if ($name === null) {
            return null;
        }
        try {
            return $this->median(3, function () use ($name) {
                if (!$this->server->lock->lock($name, 0, 10) || !$this->server->lock->unlock($name)) {
                    throw new Failure('a lock that nobody else can know was not had', TROUBLE);
                }
            });
        } catch (\RedisLockServerException | \RedisLockConnectionException $e) {
            $reason = preg_replace('/\.?( \(lock "[^"]*"\))?$/', '', substr($e->getMessage(), strlen("$e->server: ")));
            $heading = preg_match('/^[A-Z]{2,}\b/', $reason, $word) ? ", $word[0]" : '';
            $this->critical('lock', "it cannot be locked on: $reason", "see docs/troubleshooting.md$heading");
            return null;
        }
    }

    /**
     * Of the locks that were tried just now, if processes of this machine are to pass locks on to each other.
     *
     * @return array<string, string>
     */
    private function examineLocalTurns(): array
    {
        if (!filter_var(ini_get('redislock.local'), FILTER_VALIDATE_BOOL)) {
            return [];
        }
        ob_start();
        (new \ReflectionExtension('redislock'))->info();
        preg_match('/^Local turns => (.*)$/m', ob_get_clean(), $found);
        $why = match (true) {
            $this->server->cluster !== null => 'locks on a cluster never are',
            $this->server->sentinels !== null => 'locks on a master that sentinels name never are',
            default => $found[1],
        };
        if ($why !== 'possible') {
            $this->remarks[] = self::noLocalTurns($why);
        }
        return ['local_turns' => $why];
    }

    public static function noLocalTurns(string $why): Remark
    {
        return new Remark(Level::Note, 'local turns', "redislock.local is on, but locks are not passed on inside this machine: $why", 'see docs/local.md');
    }

    /** A name that nobody else can know. Null: there is none whose lock would be here. */
    private function nameHere(): ?string
    {
        for ($try = 0; $try < 20 * Cluster::SLOTS; $try++) {
            $name = 'redislock:ping:' . ($random ??= bin2hex(random_bytes(8))) . ($try === 0 ? '' : ":$try");
            if (($this->isHere)($name)) {
                return $name;
            }
        }
        $this->unknown('lock', 'no name was found whose lock would be here, so none was tried');
        return null;
    }

    /** @return array<string, mixed> what the sentinels say of the master. Notes what hinders them. */
    private function askSentinels(Sentinels $sentinels): array
    {
        $answers = $sentinels->askEach((float) ini_get('redislock.connect_timeout'));
        $heard = array_filter($answers, fn ($answer) => $answer instanceof Answer);
        foreach (array_diff_key($answers, $heard) as $where => $why) {
            $this->note('sentinels', "a sentinel does not answer: $where: $why", 'start it, or take it out of the DSN');
        }
        usort($heard, fn ($a, $b) => $b->epoch <=> $a->epoch);
        $about = $heard[0]->about ?? [];
        $facts = [
            'sentinels' => ['named' => count($answers), 'answered' => count($heard), 'known' => isset($about['num-other-sentinels']) ? $about['num-other-sentinels'] + 1 : null],
            'quorum' => isset($about['quorum']) ? (int) $about['quorum'] : null,
            'master' => $heard[0]->at ?? null,
            'min_replicas' => $this->demandsReplicas(),
        ];
        $this->examineSentinels($facts, array_unique(array_column($heard, 'at')), $about['flags'] ?? 'master');
        return $facts;
    }

    /** @param array<string, mixed> $facts @param list<?string> $masters the servers that they name */
    private function examineSentinels(array $facts, array $masters, string $flags): void
    {
        ['named' => $named, 'answered' => $answered, 'known' => $known] = $facts['sentinels'];
        if ($answered <= $named / 2) {
            $this->warn('sentinels', "$answered of $named sentinels answer, no majority: no failover comes when the master fails", 'start the others');
        }
        if ($flags !== 'master') {
            $this->warn('sentinels', "the sentinels see the master as $flags: a failover may be under way");
        }
        if (count($masters) > 1) {
            $this->note('sentinels', 'the sentinels name different masters (' . implode(', ', $masters) . '): a failover is under way, or one of them was cut off');
        }
        if ($known !== null && $known < 3) {
            $this->note('sentinels', "$known sentinels watch it: if one fails, no majority is left that could replace the master", 'use three');
        }
        if ($known > $named) {
            $this->note('sentinels', "the DSN names $named of $known sentinels: if these fail, the master is not found", 'name all');
        }
        $this->examineReplicas('sentinel');
    }

    /** Whether it writes only while it has replicas. Null: INFO is refused. */
    private function demandsReplicas(): ?bool
    {
        return $this->patient->info === [] ? null : $this->patient->get('min_slaves_good_slaves') !== null;
    }

    /** Of a master that may be replaced. @param string $by what does so */
    private function examineReplicas(string $by): void
    {
        $count = $this->patient->number('connected_slaves');
        if ($count === 0) {
            $this->warn('replicas', 'the master has no replica: nothing can replace it', 'add two, each with replicaof');
            return;
        }
        $goesOn = 'a master that is cut off goes on granting locks ' . ($by === 'sentinel' ? 'beside the new one' : 'for up to cluster-node-timeout, which a failover then loses');
        $settings = [...$this->patient->set('min-replicas-max-lag', '10'), ...$this->patient->set('min-replicas-to-write', '1')];
        [$what, $advice, $commands] = match ([$this->demandsReplicas(), $count === 1]) {
            [null, false] => ['INFO is refused: whether a master that was cut off stops granting locks (min-replicas-to-write) is not known', 'allow INFO', []],
            [false, false] => ["min-replicas-to-write is 0: $goesOn", 'use min-replicas-to-write 1 and min-replicas-max-lag 10', array_values(array_unique($settings))],
            [false, true] => [$goesOn, 'have two replicas, then min-replicas-to-write 1 ends that', []],
            [true, true] => ['min-replicas-to-write is set, with one replica: after a failover no lock can be had until there is a replica again', 'have two', []],
            default => [null, '', []],
        };
        $what === null || $this->note('replicas', $what, $advice, ...$commands);
    }

    private function examineServer(): void
    {
        $patient = $this->patient;
        $oldest = $patient->isValkey() ? '7.2' : '6.2';
        if ($patient->version() !== null && version_compare($patient->version(), $oldest, '<')) {
            $this->warn('version', "version {$patient->version()} is older than $oldest, the oldest that is supported", 'upgrade it');
        }
        if ($patient->get('role') === 'slave') {
            $this->critical('role', 'this is a replica, which refuses locks', "connect to its master, {$patient->get('master_host')}:{$patient->get('master_port')}");
        }
        if ($patient->number('connected_slaves') > 0) {
            $this->note('replicas', 'it has replicas: a lock that had not reached the one that takes over can be had twice', 'use the option replicas, or fences');
        }
        $most = $patient->number('maxclients');
        $clients = $patient->number('connected_clients');
        if ($most > 0 && $clients > 0.9 * $most) {
            $this->warn('connections', "$clients of $most clients are connected: who waits needs two connections", 'allow more', ...$patient->set('maxclients', (string) (2 * $most)));
        }
    }

    private function examineMemory(): void
    {
        $patient = $this->patient;
        $most = $patient->number('maxmemory');
        $policy = $patient->get('maxmemory_policy');
        if ($most === null || $policy === null) {
            $this->unknown('memory', 'INFO is refused: whether it may delete locks (maxmemory-policy), and what it keeps on disk, is not known', 'allow INFO', $patient->allow('+info'));
        } elseif ($most > 0 && $policy !== 'noeviction') {
            $this->critical('memory', "maxmemory-policy is $policy: when its memory is full, it deletes locks that are held", 'use noeviction', ...$patient->set('maxmemory-policy', 'noeviction'));
        } elseif ($most > 0 && $patient->number('used_memory') > 0.9 * $most) {
            $this->warn('memory', 'more than 90 % of maxmemory are used: when it is full, lock() throws (OOM)', 'give it more', ...$patient->set('maxmemory', (string) (2 * $most)));
        }
        $evicted = $patient->number('evicted_keys');
        if ($evicted > 0) {
            $this->warn('memory', "it has evicted $evicted keys since its start; locks may have been among them", 'count anew once that has ended', $patient->cli('CONFIG', 'RESETSTAT'));
        }
    }

    private function examinePersistence(): void
    {
        $patient = $this->patient;
        $appends = $patient->set('appendonly', 'yes');
        if ($patient->get('aof_enabled') === '0') {
            match ($patient->config('save')) {
                '' => $this->warn('disk', 'it keeps nothing on disk: a restart ends all locks', 'use appendonly yes', ...$appends),
                null => $this->notChecked('disk', 'there is no AOF, and CONFIG GET is refused: whether a restart ends all locks is not known', 'allow CONFIG GET, or see the console of the service', $this->patient->allow('+config|get')),
                default => $this->note('disk', 'it keeps snapshots only: a crash ends the locks that came after the last one', 'use appendonly yes', ...$appends),
            };
        }
        foreach (['rdb_last_bgsave_status' => 'snapshot', 'aof_last_write_status' => 'write to the AOF'] as $field => $what) {
            if ($patient->get($field) === 'err') {
                $this->warn('disk', "its last $what failed: it may refuse locks (MISCONF)", 'make room on its disk, and see its log');
            }
        }
    }

    private function examineDatabase(): void
    {
        $isShared = $this->patient->isShared = (new Locks($this->server))->sharesItsDatabase($this->node);
        if ($isShared === null) {
            $this->notChecked('database', 'SCAN is refused: whether other keys are in this database, which somebody may empty, is not known', 'allow SCAN', $this->patient->allow('+scan'));
        } elseif ($isShared) {
            $this->note('database', 'other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks', 'give locks a database of their own');
        }
    }

    /** The middle one of the times that it takes, in seconds, after one that does not count. */
    private function median(int $times, callable $act): float
    {
        $act();
        $took = [];
        for ($i = 0; $i < $times; $i++) {
            $start = hrtime(true);
            $act();
            $took[] = (hrtime(true) - $start) / 1e9;
        }
        sort($took);
        return $took[intdiv($times, 2)];
    }
}
