<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Whether a Redis can be locked on, and what about it endangers locks. */
final class Checkup
{
    /** @var array<string, string> what INFO says */
    private array $info = [];
    /** @var array<string, mixed> what is told of it */
    private array $facts;
    /** @var list<string> what deletes locks, or refuses them: somebody has to act */
    public array $warnings = [];
    /** @var list<string> what one should know, and may have decided so; also what the user has no right to see */
    public array $notes = [];

    /** @param \Closure(string): bool $isHere whether a name that is to be tried has its lock at this node */
    public function __construct(private readonly Server $server, private readonly Node $node, private readonly \Closure $isHere)
    {
    }

    /** @return array<string, mixed> */
    public function run(): array
    {
        $roundTrip = $this->median(5, fn () => $this->node->ask('PING'));
        preg_match_all('/^(\w+):(.*?)\r?$/m', (string) $this->node->tryTo('INFO'), $found);
        $this->info = array_combine($found[1], $found[2]);
        $save = $this->node->tryTo('CONFIG', 'GET', 'save')[1] ?? null;

        $this->facts = [
            'server' => $this->node->where ?? $this->server->address->label,
            'product' => $this->info === [] ? null : ($this->get('server_name') ?: 'redis'),
            'version' => $this->get('valkey_version') ?? $this->get('redis_version'),
            'mode' => $this->get('redis_mode') ?? $this->get('server_mode'),
            'role' => $this->get('role'),
            'replicas' => $this->number('connected_slaves'),
            'round_trip' => $roundTrip,
            'lock_and_unlock' => null,
            'used_memory' => $this->number('used_memory'),
            'maxmemory' => $this->number('maxmemory'),
            'maxmemory_policy' => $this->get('maxmemory_policy'),
            'aof' => $this->info === [] ? null : $this->get('aof_enabled') === '1',
            'save' => $save,
            'clients' => $this->number('connected_clients'),
            'keys' => $this->node->tryTo('DBSIZE'),
        ];
        if ($this->server->sentinels !== null) {
            $this->facts += $this->askSentinels($this->server->sentinels);
        }
        if ($this->server->cluster !== null) {
            $this->facts['min_replicas'] = $this->info === [] ? null : $this->get('min_slaves_good_slaves') !== null;
            $this->examineReplicas($this->facts['min_replicas']);
        }
        $this->examineServer();
        $this->examineMemory();
        $this->examinePersistence();
        $this->examineDatabase();
        $this->facts['lock_and_unlock'] = $this->tryToLock();
        return $this->facts + ['warnings' => $this->warnings, 'notes' => $this->notes];
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
            $reason = preg_replace('/ \(lock "[^"]*"\)$/', '', substr($e->getMessage(), strlen("$e->server: ")));
            $this->warnings[] = "it cannot be locked on: $reason";
            return null;
        }
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
        $this->notes[] = 'no name was found whose lock would be here, so none was tried';
        return null;
    }

    /** @return array<string, mixed> what the sentinels say of the master. Notes what hinders them. */
    private function askSentinels(Sentinels $sentinels): array
    {
        $answers = $sentinels->askEach((float) ini_get('redislock.connect_timeout'));
        $heard = array_filter($answers, fn ($answer) => $answer instanceof Answer);
        foreach (array_diff_key($answers, $heard) as $where => $why) {
            $this->notes[] = "a sentinel does not answer: $where: $why";
        }
        usort($heard, fn ($a, $b) => $b->epoch <=> $a->epoch);
        $about = $heard[0]->about ?? [];
        $facts = [
            'sentinels' => ['named' => count($answers), 'answered' => count($heard), 'known' => isset($about['num-other-sentinels']) ? $about['num-other-sentinels'] + 1 : null],
            'quorum' => isset($about['quorum']) ? (int) $about['quorum'] : null,
            'master' => $heard[0]->at ?? null,
            'min_replicas' => $this->info === [] ? null : $this->get('min_slaves_good_slaves') !== null,
        ];
        $this->examineSentinels($facts, array_unique(array_column($heard, 'at')), $about['flags'] ?? 'master');
        return $facts;
    }

    /** @param array<string, mixed> $facts @param list<?string> $masters the servers that they name */
    private function examineSentinels(array $facts, array $masters, string $flags): void
    {
        ['named' => $named, 'answered' => $answered, 'known' => $known] = $facts['sentinels'];
        if ($answered <= $named / 2) {
            $this->warnings[] = "$answered of $named sentinels answer, no majority: no failover comes when the master fails";
        }
        if ($flags !== 'master') {
            $this->warnings[] = "the sentinels see the master as $flags: a failover may be under way";
        }
        if (count($masters) > 1) {
            $this->notes[] = 'the sentinels name different masters (' . implode(', ', $masters) . '): a failover is under way, or one of them was cut off';
        }
        if ($known !== null && $known < 3) {
            $this->notes[] = "$known sentinels watch it: if one fails, no majority is left that could replace the master; use three";
        }
        if ($known > $named) {
            $this->notes[] = "the DSN names $named of $known sentinels: if these fail, the master is not found; name all";
        }
        $this->examineReplicas($facts['min_replicas']);
    }

    /** Of a master that may be replaced. @param ?bool $least whether it demands replicas to write */
    private function examineReplicas(?bool $least): void
    {
        if ($this->facts['replicas'] === 0) {
            $this->warnings[] = 'the master has no replica: nothing can replace it';
            return;
        }
        $one = $this->facts['replicas'] === 1;
        $goesOn = 'a master that is cut off goes on granting locks ' . ($this->server->cluster === null ? 'beside the new one' : 'for up to cluster-node-timeout, which a failover then loses');
        $note = match ([$least, $one]) {
            [null, false] => 'INFO is refused: whether a master that was cut off stops granting locks (min-replicas-to-write) is not known',
            [false, false] => "min-replicas-to-write is 0: $goesOn; use min-replicas-to-write 1 and min-replicas-max-lag 10",
            [false, true] => "$goesOn: have two replicas, then min-replicas-to-write 1 ends that",
            [true, true] => 'min-replicas-to-write is set, with one replica: after a failover no lock can be had until there is a replica again; have two',
            default => null,
        };
        $note === null || $this->notes[] = $note;
    }

    private function examineServer(): void
    {
        $oldest = $this->get('valkey_version') === null ? '6.2' : '7.2';
        if ($this->facts['version'] !== null && version_compare($this->facts['version'], $oldest, '<')) {
            $this->warnings[] = "version {$this->facts['version']} is older than $oldest, the oldest that is supported";
        }
        if ($this->facts['role'] === 'slave') {
            $this->warnings[] = 'this is a replica, which refuses locks: connect to its master';
        }
        if ($this->facts['replicas'] > 0) {
            $this->notes[] = 'it has replicas: a lock that had not reached the one that takes over can be had twice';
        }
        $most = $this->number('maxclients');
        if ($most > 0 && $this->facts['clients'] > 0.9 * $most) {
            $this->warnings[] = "{$this->facts['clients']} of $most clients are connected: who waits needs two connections";
        }
    }

    private function examineMemory(): void
    {
        $most = $this->facts['maxmemory'];
        $policy = $this->facts['maxmemory_policy'];
        if ($most === null || $policy === null) {
            $this->notes[] = 'INFO is refused: whether it may delete locks (maxmemory-policy), and what it keeps on disk, is not known';
        } elseif ($most > 0 && $policy !== 'noeviction') {
            $this->warnings[] = "maxmemory-policy is $policy: when its memory is full, it deletes locks that are held; use noeviction";
        } elseif ($most > 0 && $this->facts['used_memory'] > 0.9 * $most) {
            $this->warnings[] = 'more than 90 % of maxmemory are used: when it is full, lock() throws (OOM)';
        }
        $evicted = $this->number('evicted_keys');
        if ($evicted > 0) {
            $this->warnings[] = "it has evicted $evicted keys since its start; locks may have been among them";
        }
    }

    private function examinePersistence(): void
    {
        if ($this->facts['aof'] === false) {
            match ($this->facts['save']) {
                '' => $this->warnings[] = 'it keeps nothing on disk: a restart ends all locks; use appendonly yes',
                null => $this->notes[] = 'there is no AOF, and CONFIG GET is refused: whether a restart ends all locks is not known',
                default => $this->notes[] = 'it keeps snapshots only: a crash ends the locks that came after the last one',
            };
        }
        foreach (['rdb_last_bgsave_status' => 'snapshot', 'aof_last_write_status' => 'write to the AOF'] as $field => $what) {
            if ($this->get($field) === 'err') {
                $this->warnings[] = "its last $what failed: it may refuse locks (MISCONF)";
            }
        }
    }

    private function examineDatabase(): void
    {
        $isShared = (new Locks($this->server))->sharesItsDatabase($this->node);
        if ($isShared === null) {
            $this->notes[] = 'SCAN is refused: whether other keys are in this database, which somebody may empty, is not known';
        } elseif ($isShared) {
            $this->notes[] = 'other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks';
        }
    }

    private function get(string $field): ?string
    {
        return $this->info[$field] ?? null;
    }

    private function number(string $field): ?int
    {
        return isset($this->info[$field]) ? (int) $this->info[$field] : null;
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
