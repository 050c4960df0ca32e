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
        public readonly ?string $owner,
        public readonly ?float $remaining, // seconds of lease; null: without end
        public readonly int $waiters,
    ) {
    }

    /** @return array<string, mixed> */
    public function forJson(): array
    {
        return [
            'name' => $this->name,
            'state' => $this->state,
            'owner' => $this->owner,
            'remaining' => $this->remaining,
            'waiters' => $this->waiters,
        ] + (preg_match('//u', $this->name) ? [] : ['name_base64' => base64_encode($this->name)]);
    }
}

/** The locks at a server, read without a change to any. docs/protocol.md tells how they are kept. */
final class Locks
{
    private const PROBES = 64;

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

    /** The last fencing token; null: there was none. */
    public function fence(Lock $lock): ?int
    {
        [$fence] = $this->server->askAbout([['GET', self::beside($lock->key, 'fence')]]);
        return is_string($fence) ? (int) $fence : null;
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
        [$second, $microsecond] = $node->askForPair('TIME');
        $now = (string) ((int) $second * 1000 + intdiv((int) $microsecond, 1000));
        $commands = [];
        foreach ($keys as $key) {
            // Waiters whose time is over are dead.
            array_push($commands, ['GET', $key], ['PTTL', $key], ['ZCOUNT', self::beside($key, 'wait'), "($now", '+inf']);
        }
        $replies = array_chunk($this->server->askAbout($commands), 3);
        return array_map(fn ($key, $three) => $this->lock($node, $key, $three), $keys, $replies);
    }

    /** @param array{mixed, mixed, mixed} $replies */
    private function lock(Node $node, string $key, array $replies): ?Lock
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
            $foreign || $passing ? null : $value,
            $lease < 0 ? null : $lease / 1000,
            is_int($waiters) ? $waiters : 0,
        );
    }

    /** The key beside a lock's: in the same slot of a cluster, by the hash tag of the lock's own or by one around it. */
    private static function beside(string $key, string $end): string
    {
        $tagged = preg_match('/\A[^{]*\{[^}]+\}/s', $key, $found);
        return ($tagged ? $key : "{{$key}}") . ($tagged && $found[0] === $key && $key[0] === '{' ? ':rl:tag:' : ':rl:') . $end;
    }
}
