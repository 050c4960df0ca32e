<?php
declare(strict_types=1);

namespace Bench;

/** A lock to be measured. */
final class Peer
{
    /**
     * @param string $waits how it waits, for the report
     * @param bool $scripts whether what it sends are scripts (and SET, with $sets), whose inner commands are no requests
     */
    public function __construct(
        public readonly string $id,
        public readonly string $label,
        public readonly string $waits,
        public readonly string $colour = '',
        public readonly string $needs = '',
        public readonly bool $scripts = true,
        public readonly bool $sets = true,
    ) {
    }

    /** The loop and the adapter alone, to know what they cost. */
    public static function none(): self
    {
        return new self('none', 'no lock', '', scripts: false, sets: false);
    }

    /** What passes a baton on in shared memory, first come first served, and asks no server: what this machine allows at most. */
    public static function control(): self
    {
        return new self('control', 'the machine\'s own limit', 'sleeps on a word of shared memory', scripts: false, sets: false);
    }

    /** Whether it is the program in C that does it, and no PHP. */
    public function isRaw(): bool
    {
        return in_array($this->id, ['limit', 'control'], true);
    }

    /** The raw loop in C, with which all are compared. */
    public function isLimit(): bool
    {
        return $this->id === 'limit';
    }

    /** Whether it is the extension as it was at another commit. */
    public function isBefore(): bool
    {
        return in_array($this->id, ['before', 'before-once'], true);
    }

    /** Whether a command of the server's statistics came over the wire, and not from inside a script. */
    public function isRequest(string $command): bool
    {
        return match (true) {
            str_starts_with($command, 'eval'), str_starts_with($command, 'fcall'), str_starts_with($command, 'script') => true,
            $command === 'info', str_starts_with($command, 'client'), str_starts_with($command, 'config') => false,
            $command === 'blpop', $command === 'ping' => true,
            $command === 'set' => !$this->scripts || $this->sets,
            default => !$this->scripts,
        };
    }
}

/** Which peers there are, and which of them this machine has. */
final class Peers
{
    /** What is no peer: the limit, we, now and before, and the loop without any lock. */
    private const OWN = ['limit', 'ours', 'ours-local', ...self::ALONE, ...self::BRIDGES, 'before', 'before-once', 'none', 'control'];

    /** Ours in forms that matter to who is alone. */
    private const ALONE = ['ours-once', 'ours-renewed', 'ours-unnamed', 'ours-uncounted'];

    /** Ours below Laravel and Symfony, without local turns and with. */
    private const BRIDGES = ['laravel-bridge', 'laravel-bridge-local', 'symfony-bridge', 'symfony-bridge-local'];

    /** @var array<string, Peer> those to measure */
    public array $present = [];
    /** @var array<string, string> label => why not */
    public array $missing = [];

    /**
     * @param array<string, string> $have need => '' when it is there, otherwise why not
     * @param string[] $only ids, besides ours and the limit; empty: all
     * @param string $against the commit of what we are held against; empty: we are not
     */
    public function __construct(array $have, array $only, public readonly string $against)
    {
        foreach ($this->all() as $peer) {
            if ($only !== [] && !in_array($peer->id, [...self::OWN, ...$only], true)) {
                continue;
            }
            foreach (array_filter(explode(' ', $peer->needs)) as $need) {
                if (($have[$need] ?? 'not asked for') !== '') {
                    $this->missing[$peer->label] = $have[$need] ?? 'not asked for';
                    continue 2;
                }
            }
            $this->present[$peer->id] = $peer;
        }
    }

    /**
     * Those of a run that is over.
     *
     * @param array<string, string> $missing label => why not
     * @param array<string, array<string, mixed>> $results workload => id => …
     */
    public static function known(array $missing, string $against, array $results): self
    {
        $peers = new self(['phpredis' => '', 'composer' => ''], [], $against);
        $peers->present = array_intersect_key($peers->present, array_merge(...array_values($results)));
        $peers->missing = $missing;
        return $peers;
    }

    /** @return Peer[] */
    private function all(): array
    {
        $before = [
            new Peer('before', "redislock, $this->against", 'as that commit does', '#ff9896', sets: false),
            new Peer('before-once', "redislock, $this->against, no wait", 'does not'),
        ];
        $local = [
            new Peer('ours-local', '**redislock**, local turns', 'line of the machine, whose first waits in Redis for all', '#7f0000', sets: false),
            new Peer('laravel-bridge', '**redislock** in Laravel', 'as redislock does', needs: 'composer', sets: false),
            new Peer('laravel-bridge-local', '**redislock** in Laravel, local turns', 'as that with local turns does', needs: 'composer', sets: false),
            new Peer('symfony-bridge', '**redislock** in Symfony Lock', 'as redislock does', needs: 'composer', sets: false),
            new Peer('symfony-bridge-local', '**redislock** in Symfony Lock, local turns', 'as that with local turns does', needs: 'composer', sets: false),
        ];
        return [
            new Peer('limit', 'raw loop, hiredis', 'does not', '#888888'),
            new Peer('ours', '**redislock**', 'queue in Redis, in order of arrival', '#d62728', sets: false),
            new Peer('ours-once', '**redislock**, no wait', 'does not: `lock($name)`, for who is alone'),
            new Peer('ours-renewed', '**redislock**, no wait, renewed', 'does not: `lock($name)` with `renew`'),
            new Peer('ours-unnamed', '**redislock**, no wait, no owner', "does not: `lock(\$name)`, with `'owner' => ''`"),
            new Peer('ours-uncounted', '**redislock**, no wait, no metrics', 'does not: `lock($name)`, with `redislock.metrics = 0`'),
            ...$this->against === '' ? $local : $before,
            new Peer('class-a', 'class A, request id', 'poll, 200 ms', '#1f77b4', 'phpredis'),
            new Peer('class-b', 'class B, busy spin', 'poll, no pause', '#ff7f0e', 'phpredis', scripts: false),
            new Peer('class-d', 'class D, named locks', 'poll, 100 ms', '#2ca02c', 'phpredis', scripts: false),
            new Peer('laravel-phpredis', 'Laravel, phpredis', 'poll, 250 ms', '#9467bd', 'phpredis composer'),
            new Peer('laravel-predis', 'Laravel, predis', 'poll, 250 ms', '#c5b0d5', 'composer'),
            new Peer('symfony', 'Symfony Lock, phpredis', 'poll, 100 ± 10 ms', '#8c564b', 'phpredis composer', sets: false),
        ];
    }

    /** @param array<string, float[]> $numbers of a workload: whether two were in their sections at once in any run */
    public static function letsTwoIn(array $numbers): bool
    {
        return array_sum([...$numbers['overlaps'] ?? [], ...$numbers['oversold'] ?? []]) > 0;
    }

    /** Of a workload's numbers, those to compare with: who lets two in at once is no lock. */
    public static function sound(array $of): array
    {
        return array_filter(self::others($of), fn ($numbers) => !self::letsTwoIn($numbers));
    }

    public function label(string $id): string
    {
        foreach ([Peer::none(), Peer::control(), ...$this->all()] as $peer) {
            if ($peer->id === $id) {
                return $peer->label;
            }
        }
        return $id;
    }

    /** @return array<string, Peer> those that wait for a lock */
    public function locks(): array
    {
        return array_diff_key($this->present, array_flip(['limit', ...self::ALONE, ...self::BRIDGES, 'before-once']));
    }

    /** @return array<string, Peer> ours without local turns and with; nobody, if the latter do not take part */
    public function turns(): array
    {
        return isset($this->present['ours-local']) ? array_intersect_key($this->present, ['ours' => 1, 'ours-local' => 1]) : [];
    }

    /** @return array<string, Peer> what those of a crowd with local turns are held against; nobody, if they do not take part */
    public function control(): array
    {
        return $this->turns() === [] ? [] : ['control' => Peer::control()];
    }

    /** @return array<string, Peer> */
    public function bridges(): array
    {
        return array_intersect_key($this->present, array_flip(self::BRIDGES));
    }

    /** Of a workload's numbers, those of the peers that we compare with. */
    public static function others(array $of): array
    {
        return array_diff_key($of, array_flip(self::OWN));
    }
}
