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
    public function __construct(private readonly Server $server)
    {
    }

    /** @return list<Lock> those that are held now, by name */
    public function find(string $pattern): array
    {
        $keys = [];
        $cursor = '0';
        $match = addcslashes($this->server->prefix, '*?[]^-\\') . $pattern;
        do {
            [$cursor, $found] = $this->server->askForPair('SCAN', $cursor, 'MATCH', $match, 'COUNT', '1000', 'TYPE', 'string');
            foreach (array_filter((array) $found, $this->isLock(...)) as $key) {
                $keys["=$key"] = $key; // a SCAN may tell one twice; PHP would make a number of "7"
            }
        } while ($cursor !== '0');
        $locks = [];
        foreach (array_chunk(array_values($keys), 500) as $some) {
            array_push($locks, ...array_filter($this->read($some)));
        }
        usort($locks, fn (Lock $a, Lock $b) => strnatcmp($a->name, $b->name));
        return $locks;
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
        return $this->read([$this->server->prefix . $name])[0];
    }

    /** The last fencing token; null: there was none. */
    public function fence(Lock $lock): ?int
    {
        $fence = $this->server->tryTo('GET', self::beside($lock->key, 'fence'));
        return $fence === null ? null : (int) $fence;
    }

    /** A look at some keys of the database: is there one that belongs to no lock? Null: the user may not look. */
    public function sharesItsDatabase(): ?bool
    {
        $found = $this->server->tryTo('SCAN', '0', 'COUNT', '200');
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

    /** @param list<string> $keys @return list<?Lock> */
    private function read(array $keys): array
    {
        [$second, $microsecond] = $this->server->askForPair('TIME');
        $now = (string) ((int) $second * 1000 + intdiv((int) $microsecond, 1000));
        $commands = [];
        foreach ($keys as $key) {
            // Waiters whose time is over are dead.
            array_push($commands, ['GET', $key], ['PTTL', $key], ['ZCOUNT', self::beside($key, 'wait'), "($now", '+inf']);
        }
        $replies = array_chunk($this->server->askAll($commands), 3);
        return array_map($this->lock(...), $keys, $replies);
    }

    /** @param array{mixed, mixed, mixed} $replies */
    private function lock(string $key, array $replies): ?Lock
    {
        [$value, $lease, $waiters] = $replies;
        $foreign = $value instanceof Failure && str_starts_with($value->getMessage(), 'WRONGTYPE');
        foreach ($foreign ? [$lease] : [$value, $lease] as $reply) {
            $reply instanceof Failure && $this->server->fail($reply->getMessage());
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
