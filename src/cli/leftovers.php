<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What lies in Redis that nobody needs any more, or that nobody will ever take away. */
final class Leftovers extends Check
{
    private const ROUNDS = 1000;     // of SCAN, with so many keys each
    private const KEYS = 1000;
    private const LONGEST = 3;       // s: no more is asked for after that
    private const RULES = ['+scan', '+time', '+pttl', '+type', '+zrangebyscore', '+get'];
    private const SHOWN = 3;         // names
    private const ENDS = ['wait', 'baton', 'note', 'fence', 'value', 'wake']; // of keys beside a lock

    /** @var array<string, array<string|Owner>> what was found => keys; 'endless': owners by =key */
    private array $found = ['endless' => [], 'foreign' => [], 'passed' => [], 'lasting' => [], 'unknown' => []];
    private int $seen = 0; // keys that the server went over
    private int $locks = 0;
    private int $dead = 0; // waiters
    private string $refused = '';

    public function __construct(private readonly Patient $patient)
    {
        $complete = $this->look();
        if ($this->refused !== '') {
            $this->notChecked('leftovers', "$this->refused: what is left in the database is not known", 'allow it', $patient->allow(...self::RULES, ...array_map(fn ($pattern) => "%R~$pattern", $patient->server->patterns())));
            return;
        }
        $complete || $this->notChecked('leftovers', "only some $this->seen keys of the database were looked at", 'give locks a database of their own');
        $patient->facts['locks'] = $this->locks;
        $this->tellOfLocks();
        $this->tellOfRest();
    }

    /** Returns whether it has seen all keys. */
    private function look(): bool
    {
        $prefix = $this->patient->server->prefix;
        $match = '*' . addcslashes($prefix, '*?[]^-\\') . '*'; // a key beside a lock may begin with {
        $cursor = '0';
        $until = microtime(true) + self::LONGEST;
        for ($round = 0; $round < self::ROUNDS && microtime(true) < $until && $this->refused === ''; $round++) {
            $this->seen += self::KEYS;
            [$reply] = $this->patient->node->askAll([['SCAN', $cursor, 'MATCH', $match, 'COUNT', (string) self::KEYS]]);
            if (!is_array($reply) || count($reply) !== 2 || !is_array($reply[1])) {
                $this->refused = 'SCAN is refused';
                return true;
            }
            [$cursor, $keys] = $reply;
            $this->examine(array_values(array_filter($keys, fn ($key) => str_starts_with($key, $prefix) || str_starts_with($key, "{{$prefix}"))));
            if ($cursor === '0') {
                return true;
            }
        }
        return false;
    }

    /** @param list<string> $keys */
    private function examine(array $keys): void
    {
        $questions = [];
        foreach ($keys as $key) {
            [$lock, $end] = self::beside($key);
            $questions[] = ['PTTL', $key];
            $questions[] = match ($end) {
                'wait' => ['ZRANGEBYSCORE', $key, '-inf', '+inf', 'WITHSCORES'],
                'note' => ['PTTL', $lock],
                default => ['TYPE', $key],
            };
        }
        $replies = $questions === [] ? [] : $this->patient->node->askAll([['TIME'], ...$questions]);
        $time = array_shift($replies);
        $now = is_array($time) ? (int) $time[0] * 1000 + intdiv((int) $time[1], 1000) : microtime(true) * 1000;
        foreach (array_chunk($replies, 2) as $i => [$left, $more]) {
            foreach ([$left, $more] as $reply) {
                $error = $reply instanceof Failure ? strtok($reply->getMessage(), ' ') : '';
                $this->refused = $error === 'NOPERM' ? $reply->getMessage() : $this->refused;
            }
            $left === -2 || $left instanceof Failure || $this->sort($keys[$i], $left, $more, $now);
        }
    }

    /** @param int $left ms; -1: it does not end @param mixed $more what else was asked about it @param float $now ms */
    private function sort(string $key, int $left, mixed $more, float $now): void
    {
        [, $end] = self::beside($key);
        if ($end === null) {
            $this->locks++;
            $more === 'string' || $this->found['foreign'][] = $key;
            if ($left === -1 && $more === 'string') {
                $this->found['endless']["=$key"] = Owner::ofToken((string) $this->patient->node->tryTo('GET', $key)); // '': it is not told, or gone
            }
            return;
        }
        if (!in_array($end, self::ENDS, true)) {
            $this->found['unknown'][] = $key;
        } elseif ($left === -1) {
            $this->found['lasting'][] = $key;
        }
        if ($end === 'wait' && is_array($more)) {
            $this->dead += count(array_filter(array_column(array_chunk($more, 2), 1), fn ($until) => (float) $until < $now));
        } elseif ($end === 'note' && $more === -2) {
            $this->found['passed'][] = $key;
        }
    }

    private function tellOfLocks(): void
    {
        ['endless' => $endless, 'foreign' => $foreign, 'passed' => $passed] = $this->found;
        $this->tellOfEndless(Level::Note, array_filter($endless, fn ($owner) => $owner->kind !== 'foreign'), 'by its holder\'s wish (INF)');
        $this->tellOfEndless(Level::Warning, array_filter($endless, fn ($owner) => $owner->kind === 'foreign'), 'which another client took');
        if ($foreign !== []) {
            $names = array_map($this->named(...), array_slice($foreign, 0, self::SHOWN));
            $this->warn('leftovers', self::count($foreign, 'key is', 'keys are') . ' of another type where a lock would be, and calls for these names throw (WRONGTYPE): ' . self::list($names, $foreign), 'find who writes them, or use another prefix', $this->cli('TYPE', $foreign[0]));
        }
        if ($passed !== []) {
            $names = array_map(fn ($key) => $this->named((string) self::beside($key)[0]), array_slice($passed, 0, self::SHOWN));
            $this->note('leftovers', self::count($passed, 'lease', 'leases') . ' ended before the holder gave the lock back, within the last day: ' . self::list($names, $passed), 'see what became of its holder, or choose a longer expire');
        }
    }

    /** @param array<string, Owner> $owners of locks, by =key */
    private function tellOfEndless(Level $level, array $owners, string $why): void
    {
        if ($owners === []) {
            return;
        }
        $names = array_map(fn ($key) => substr($key, 1), array_keys($owners));
        $shown = array_map(fn ($key, $owner) => $this->named($key) . ($owner->token === '' ? '' : ' (' . Screen::clipped($owner->description ?? $owner->token) . ')'), array_slice($names, 0, self::SHOWN), array_slice(array_values($owners), 0, self::SHOWN));
        $what = self::count($names, 'lock has no end', 'locks have no end') . ", $why, and " . (count($names) === 1 ? 'stays' : 'stay') . ' if the holder is killed: ' . self::list($shown, $names);
        $this->remarks[] = new Remark($level, 'leftovers', $what, 'if the holder is gone, take it away', [Node::quoted('redislock', 'release', '--force', '--', $this->name($names[0]))]);
    }

    private function tellOfRest(): void
    {
        ['lasting' => $lasting, 'unknown' => $unknown] = $this->found;
        $tell = fn (array $keys, string $one, string $many, string $rest) => $this->note('leftovers', self::count($keys, $one, $many) . $rest . self::list(array_slice($keys, 0, self::SHOWN), $keys), 'if no other version of redislock is in use, delete them', $this->cli('DEL', ...array_slice($keys, 0, self::SHOWN)));
        $lasting === [] || $tell($lasting, 'key beside a lock has', 'keys beside locks have', ' no end, which this version always gives: ');
        $unknown === [] || $tell($unknown, 'key beside a lock is', 'keys beside locks are', ' none that this version knows: ');
        if ($this->dead > 0) {
            $this->note('leftovers', ($this->dead === 1 ? 'a waiter has' : "$this->dead waiters have") . ' stopped asking in the last seconds: killed, or stopped; they leave the line by themselves', 'see whether processes are killed while they wait');
        }
    }

    /** @return array{?string, ?string} the lock's key and the end of this one's name; null: it is no key beside a lock */
    private static function beside(string $key): array
    {
        if (!preg_match('/^(.*):rl:(?:tag:)?(\w+)$/sD', $key, $found)) {
            return [null, null];
        }
        [, $rest, $end] = $found;
        $inner = preg_match('/^\{(.*)\}$/sD', $rest, $tag) ? $tag[1] : null;
        foreach (array_filter([$inner, $rest], is_string(...)) as $lock) {
            if (Locks::keyBeside($lock, $end) === $key) {
                return [$lock, $end];
            }
        }
        return [null, null];
    }

    /** What to type, at the database of the locks. */
    private function cli(string ...$words): string
    {
        $database = $this->patient->server->address->database;
        return $this->patient->cli(...($database === 0 ? [] : ['-n', (string) $database]), ...$words);
    }

    private function name(string $key): string
    {
        return substr($key, strlen($this->patient->server->prefix));
    }

    private function named(string $key): string
    {
        return '"' . Screen::clipped($this->name($key)) . '"';
    }

    /** @param list<string> $of */
    private static function count(array $of, string $one, string $many): string
    {
        return count($of) === 1 ? "1 $one" : count($of) . " $many";
    }

    /** @param list<string> $shown @param list<string> $of */
    private static function list(array $shown, array $of): string
    {
        return implode(', ', $shown) . (count($of) > count($shown) ? ', …' : '');
    }
}
