<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** A part of a cluster: slots, and the nodes that have them. */
final class Shard
{
    /** @param list<string> $replicas */
    public function __construct(
        public readonly int $first,
        public readonly int $last,
        public readonly string $master, // host:port, as all nodes
        public readonly array $replicas,
    ) {
    }
}

/** The nodes of a cluster, as CLUSTER SLOTS tells of them, and which of them has a key. */
final class Cluster
{
    public const SLOTS = 16384;
    private const REDIRECTIONS = 5; // so many of them are followed, one after another

    /** @var array<string, Node> by host:port */
    private array $nodes = [];
    /** @var ?list<Shard> null: to be asked for; []: who asks has no right to */
    private ?array $shards = null;
    /** The node that has told of them, or that could be asked. */
    private string $witness = '';

    /** @param array<string, string|bool> $tls */
    public function __construct(private readonly Address $address, private readonly array $tls)
    {
    }

    /** The slot of a key: CRC16 (XMODEM) of its hash tag, or of all of it. */
    public static function slot(string $key): int
    {
        $key = preg_match('/\A[^{]*\{([^}]+)\}/s', $key, $tag) ? $tag[1] : $key;
        $crc = 0;
        for ($i = 0; $i < strlen($key); $i++) {
            $crc ^= ord($key[$i]) << 8;
            for ($bit = 0; $bit < 8; $bit++) {
                $crc = ($crc << 1 ^ ($crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
            }
        }
        return $crc % self::SLOTS;
    }

    /** @return list<Shard> in the order of their slots; [] if the user may not ask */
    public function shards(): array
    {
        return $this->shards ??= $this->findShards();
    }

    /** @return list<Node> all that have slots, in their order */
    public function masters(): array
    {
        $shards = $this->shards();
        $shards !== [] || $this->fail('the user may not ask for the nodes (NOPERM): it needs +cluster|slots');
        return array_map($this->node(...), array_values(array_unique(array_column($shards, 'master'))));
    }

    /** The node that has this key, as far as is known. */
    public function nodeOf(string $key): Node
    {
        return $this->node($this->whereIs(self::slot($key)));
    }

    public function node(string $where): Node
    {
        return $this->nodes[$where] ??= new Node($this->address, $this->tls, where: $where);
    }

    /** Asks for the nodes anew, before they are needed next. */
    public function forget(): void
    {
        $this->shards = null;
    }

    /** @param list<list<string>> $commands each asks about one key, its second word @return list<mixed> their replies */
    public function askAbout(array $commands): array
    {
        $replies = $asking = [];
        $at = array_map(fn ($command) => $this->whereIs(self::slot($command[1])), $commands);
        for ($round = 0; $at !== []; $round++) {
            $redirected = [];
            foreach (array_unique($at) as $where) {
                $here = array_keys($at, $where, true);
                foreach (array_combine($here, $this->askAt($where, array_intersect_key($commands, array_flip($here)), $asking)) as $i => $reply) {
                    $to = $round < self::REDIRECTIONS ? $this->redirection($reply, $where) : null;
                    $to === null ? $replies[$i] = $reply : [$redirected[$i], $asking[$i]] = $to;
                }
            }
            $at = $redirected;
        }
        ksort($replies);
        return $replies;
    }

    /** @param array<int, list<string>> $commands @param array<int, bool> $asking those for which ASK has sent us here */
    private function askAt(string $where, array $commands, array $asking): array
    {
        $all = $replies = [];
        foreach ($commands as $i => $command) {
            array_push($all, ...($asking[$i] ?? false ? [['ASKING']] : []), ...[$command]);
        }
        try {
            $answers = $this->node($where)->askAll($all);
        } catch (Failure $e) {
            $this->forget();
            throw $e;
        }
        foreach ($all as $i => $command) {
            $command === ['ASKING'] || $replies[] = $answers[$i];
        }
        return $replies;
    }

    /** @return ?array{string, bool} where a reply sends us, and whether by ASK; null: it does not */
    private function redirection(mixed $reply, string $from): ?array
    {
        if (!$reply instanceof Failure || !preg_match('/^(MOVED|ASK) \d+ (.*):(\d+)$/s', $reply->getMessage(), $found)) {
            return null;
        }
        $found[1] === 'ASK' || $this->forget();
        return [self::where($found[2], $found[3], [], $from), $found[1] === 'ASK'];
    }

    /** host:port of the master of a slot, or of any node if it is not known. */
    private function whereIs(int $slot): string
    {
        $shards = $this->shards();
        foreach ($shards as $shard) {
            if ($shard->first <= $slot && $slot <= $shard->last) {
                return $shard->master;
            }
        }
        return $this->witness;
    }

    /** Asks the nodes that have been found, then those that the DSN names, until one answers. @return list<Shard> */
    private function findShards(): array
    {
        $why = null;
        foreach (array_unique([...array_filter([$this->witness]), ...$this->address->seeds]) as $where) {
            try {
                [$reply] = $this->node($where)->askAll([['CLUSTER', 'SLOTS']]);
            } catch (Failure $e) {
                $why ??= $e;
                continue;
            }
            if ($reply instanceof Failure && !str_starts_with($reply->getMessage(), 'NOPERM')) {
                $text = $reply->getMessage();
                $this->node($where)->fail(str_contains($text, 'cluster support disabled') ? 'this is no node of a cluster: use redis://' : "CLUSTER SLOTS: $text");
            }
            if ($reply !== []) {
                $this->witness = $where;
                return $reply instanceof Failure ? [] : $this->read($reply, $where);
            }
        }
        throw $why ?? $this->fail('no node knows of any slot: they have left the cluster, or are not in it yet');
    }

    /** @return list<Shard> */
    private function read(mixed $reply, string $from): array
    {
        $shards = [];
        foreach ((array) $reply as $piece) {
            [$first, $last, $master] = (array) $piece + [null, null, null];
            if (!is_int($first) || !is_int($last) || !is_array($master)) {
                $this->node($from)->fail('CLUSTER SLOTS: this is no answer to it');
            }
            $nodes = array_map(fn ($node) => self::where($node[0], (string) $node[1], $node[3] ?? [], $from), array_slice($piece, 2));
            $shards[] = new Shard($first, $last, $nodes[0], array_slice($nodes, 1));
        }
        usort($shards, fn ($a, $b) => $a->first <=> $b->first);
        return $shards;
    }

    /**
     * host:port of a node. If its host is not known to the one that was asked, it may be among what else is told of it; null, and
     * without that, it is the host that was asked.
     *
     * @param list<mixed> $more names and values
     */
    private static function where(?string $host, string $port, array $more, string $from): string
    {
        $ip = array_column(array_chunk($more, 2), 1, 0)['ip'] ?? '';
        $host = $host === '?' || $host === '' ? $ip : $host;
        $host = $host ?: substr($from, 0, strrpos($from, ':'));
        return (str_contains($host, ':') && $host[0] !== '[' ? "[$host]" : $host) . ":$port";
    }

    private function fail(string $why): never
    {
        throw new Failure("{$this->address->label}: $why", TROUBLE);
    }
}
