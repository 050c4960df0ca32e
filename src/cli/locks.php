<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** A lock as it stands in Redis. */
final class Lock
{
    public function __construct(
        public readonly string $name,
        public readonly string $key,
        public readonly string $state, // 'held', 'passing' to a waiter that has not claimed it yet, 'foreign': of another type
        public readonly ?Owner $owner,
        public readonly ?float $remaining, // seconds of lease; null: without end
        public readonly int $waiters,
        public readonly float $now, // seconds since 1970, by the server's clock
    ) {
    }

    /** @return array<string, mixed> */
    public function forJson(): array
    {
        return [
            'name' => $this->name,
            'state' => $this->state,
            'owner' => $this->owner?->token,
            'remaining' => $this->remaining,
            'waiters' => $this->waiters,
            'renewed' => $this->owner?->renewed,
        ] + self::ownerForJson($this) + (preg_match('//u', $this->name) ? [] : ['name_base64' => base64_encode($this->name)]);
    }

    /** @return array<string, mixed> the same members if there is no lock or no owner */
    public static function ownerForJson(?self $lock): array
    {
        return $lock?->owner?->forJson($lock->now) ?? array_fill_keys(['kind', 'description', 'host', 'pid', 'runs', 'since', 'age'], null);
    }
}

/** Who waits for a lock, in the order of service as far as it is known. */
final class Line
{
    /** @param list<Owner> $waiters */
    public function __construct(public readonly array $waiters, private readonly float $now)
    {
    }

    /** @return list<array<string, mixed>> */
    public function forJson(): array
    {
        return array_map(fn (Owner $waiter) => ['id' => $waiter->token] + $waiter->forJson($this->now), $this->waiters);
    }
}

/** The locks at a server, read without a change to any. docs/protocol.md tells how they are kept. */
final class Locks
{
    private const PROBES = 64;
    private const LONGEST_LINE = 10000; // waiters that are read at most

    /** @var list<string> why find() lacks locks, for each node of a cluster that has them */
    public array $missing = [];
    private ?bool $isPart = null;

    public function __construct(private readonly Server $server)
    {
    }

    /** @return list<Lock> those that are held now, by name */
    public function find(string $pattern): array
    {
        $this->missing = $locks = [];
        $masters = $this->server->masters();
        foreach ($masters as $node) {
            try {
                $locks += $this->findAt($node, $pattern);
            } catch (Failure $e) {
                $this->server->cluster?->forget(); // one that has failed may be replaced
                $this->missing[] = $e->getMessage();
                count($this->missing) < count($masters) || throw $e;
            }
        }
        if ($this->server->cluster === null && ($this->isPart ??= $this->sendsElsewhere($masters[0]))) {
            $this->missing[] = "{$this->server->address->label}: this is a node of a cluster, and others have names too: use redis-cluster://";
        }
        usort($locks, fn (Lock $a, Lock $b) => strnatcmp($a->name, $b->name));
        return $locks;
    }

    /** Does a server that was named as one of its own have a part of the names alone? It sends whoever asks for others elsewhere. */
    private function sendsElsewhere(Node $node): bool
    {
        $probes = array_map(fn (int $i) => ['GET', "{$this->server->prefix}$i"], range(1, self::PROBES));
        $moved = fn (mixed $reply) => $reply instanceof Failure && str_starts_with($reply->getMessage(), 'MOVED ');
        return array_filter($node->askAll($probes), $moved) !== [];
    }

    /** @return array<string, Lock> by =key, since PHP would make a number of "7" */
    private function findAt(Node $node, string $pattern): array
    {
        $keys = $locks = [];
        $cursor = '0';
        $match = addcslashes($this->server->prefix, '*?[]^-\\') . $pattern;
        do {
            [$cursor, $found] = $node->askForPair('SCAN', $cursor, 'MATCH', $match, 'COUNT', '1000', 'TYPE', 'string');
            foreach (array_filter((array) $found, $this->isLock(...)) as $key) {
                $keys["=$key"] = $key; // a SCAN may tell one twice
            }
        } while ($cursor !== '0');
        foreach (array_chunk($keys, 500, preserve_keys: true) as $some) {
            $locks += array_combine(array_keys($some), $this->read($node, array_values($some)));
        }
        return array_filter($locks);
    }

    /** Not what stands beside one: the extension knows which names cannot be. */
    private function isLock(mixed $key): bool
    {
        try {
            $this->server->lock->remaining(substr((string) $key, strlen($this->server->prefix))); // asks nobody
            return true;
        } catch (\ValueError) {
            return false;
        }
    }

    /** Null: nobody holds it. */
    public function get(string $name): ?Lock
    {
        $key = $this->server->prefix . $name;
        return $this->read($this->server->nodeOf($key), [$key])[0];
    }

    /** @return array{?int, ?Line} the last fencing token, null if there was none; and who waits, null if the user may not ask */
    public function beside(Lock $lock): array
    {
        $alive = '(' . self::milliseconds($lock->now);
        $range = ['ZRANGEBYSCORE', self::keyBeside($lock->key, 'wait'), $alive, '+inf', 'LIMIT', '0', (string) self::LONGEST_LINE];
        [$fence, $ids] = $this->server->askAbout([['GET', self::keyBeside($lock->key, 'fence')], ...($lock->waiters > 0 ? [$range] : [])]) + [null, []];
        return [is_string($fence) ? (int) $fence : null, is_array($ids) ? new Line(self::inOrder($ids), $lock->now) : null];
    }

    /** @param list<string> $ids @return list<Owner> by the beginning of their wait; behind them those who do not tell it */
    private static function inOrder(array $ids): array
    {
        $waiters = array_map(Owner::ofWaiter(...), array_filter($ids, is_string(...)));
        usort($waiters, fn (Owner $a, Owner $b) => ($a->since ?? INF) <=> ($b->since ?? INF));
        return $waiters;
    }

    /**
     * Who is connected under the name that a process of this extension gives to its connections: "redislock:", its host and its pid.
     *
     * @return ?list<array{address: string, idle: int}> null: that is not known, since the user may not ask, or nobody has such a name
     */
    public function connections(Lock $lock): ?array
    {
        $process = $lock->owner?->process();
        $clients = $process === null ? null : $this->server->nodeOf($lock->key)->tryTo('CLIENT', 'LIST');
        $line = '/^id=\d+ addr=(?<address>\S*) .*?\bname=redislock:(?<process>\S+) .*?\bidle=(?<idle>\d+)/m';
        if (!is_string($clients) || !preg_match_all($line, $clients, $found, PREG_SET_ORDER)) {
            return null;
        }
        $own = array_filter($found, fn ($client) => preg_match($process, $client['process']));
        return array_values(array_map(fn ($client) => ['address' => $client['address'], 'idle' => (int) $client['idle']], $own));
    }

    /** A look at some keys of the database: is there one that belongs to no lock? Null: the user may not look. */
    public function sharesItsDatabase(Node $node): ?bool
    {
        $found = $node->tryTo('SCAN', '0', 'COUNT', '200');
        if ($found === null) {
            return null;
        }
        foreach ($found[1] ?? [] as $key) {
            if (!str_starts_with($key, $this->server->prefix) && !str_starts_with($key, "{{$this->server->prefix}")) {
                return true;
            }
        }
        return false;
    }

    /** @param Node $node has most of them, and tells the time @param list<string> $keys @return list<?Lock> */
    private function read(Node $node, array $keys): array
    {
        $now = self::time($node);
        $alive = '(' . self::milliseconds($now);
        $commands = [];
        foreach ($keys as $key) {
            // Waiters whose time is over are dead.
            array_push($commands, ['GET', $key], ['PTTL', $key], ['ZCOUNT', self::keyBeside($key, 'wait'), $alive, '+inf']);
        }
        $replies = array_chunk($this->server->askAbout($commands), 3);
        return array_map(fn ($key, $three) => $this->lock($node, $key, $three, $now), $keys, $replies);
    }

    /** The server's clock, by which waiters are alive; of a server that does not tell it, this machine's. */
    private static function time(Node $node): float
    {
        $time = $node->tryTo('TIME');
        return is_array($time) && count($time) === 2 ? (int) $time[0] + (int) $time[1] / 1e6 : microtime(true);
    }

    private static function milliseconds(float $time): string
    {
        return sprintf('%.0f', floor($time * 1000));
    }

    /** @param array{mixed, mixed, mixed} $replies */
    private function lock(Node $node, string $key, array $replies, float $now): ?Lock
    {
        [$value, $lease, $waiters] = $replies;
        $foreign = $value instanceof Failure && str_starts_with($value->getMessage(), 'WRONGTYPE');
        foreach ($foreign ? [$lease] : [$value, $lease] as $reply) {
            $reply instanceof Failure && $node->fail($reply->getMessage());
        }
        if (!$foreign && !is_string($value) || $lease === -2) {
            return null;
        }
        $passing = !$foreign && str_starts_with($value, 'rl:baton:');
        return new Lock(
            substr($key, strlen($this->server->prefix)),
            $key,
            $foreign ? 'foreign' : ($passing ? 'passing' : 'held'),
            $foreign || $passing ? null : Owner::ofToken($value),
            $lease < 0 ? null : $lease / 1000,
            is_int($waiters) ? $waiters : 0,
            $now,
        );
    }

    /** The key beside a lock's: in the same slot of a cluster, by the hash tag of the lock's own or by one around it. */
    public static function keyBeside(string $key, string $end): string
    {
        $tagged = preg_match('/\A[^{]*\{[^}]+\}/s', $key, $found);
        return ($tagged ? $key : "{{$key}}") . ($tagged && $found[0] === $key && $key[0] === '{' ? ':rl:tag:' : ':rl:') . $end;
    }
}
