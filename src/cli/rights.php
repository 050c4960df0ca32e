<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** A right that the application's user needs. */
final class Right
{
    /**
     * @param string $rule as ACL SETUSER takes it, without the +
     * @param list<string> $example what it allows; KEY and SIDE stand for keys of a lock
     * @param string $without what is lost without it
     */
    public function __construct(
        public readonly string $rule,
        public readonly array $example,
        public readonly Level $level,
        public readonly string $without,
    ) {
    }
}

/** Whether a user has the rights that locks need, which ACL DRYRUN tells. */
final class Rights extends Check
{
    private const NO_LOCK = 'no lock can be had';
    private const NO_WAIT = 'no call can wait: if the lock is held, lock() with a timeout throws';

    /** @var list<string> patterns of keys, as ACL SETUSER takes them */
    private readonly array $patterns;
    private readonly string $lock;
    private readonly string $side;

    /** @param ?string $user null: the one that is logged in */
    public function __construct(private readonly Patient $patient, ?string $user)
    {
        $server = $patient->server;
        $this->lock = "{$server->prefix}redislock:doctor";
        $this->side = Locks::keyBeside($this->lock, 'wait');
        $this->patterns = array_map(fn (string $pattern) => "~$pattern", $server->patterns());

        $name = $user ?? $server->address->user ?? 'default';
        [$why, $advice, $commands] = $this->whyNot($name);
        if ($why === '') {
            $this->critical('rights', "there is no user $name: whoever logs in so is refused", 'create it', ...$this->allow($name, 'on', '>PASSWORD', 'resetchannels', '-@all', ...$this->patterns, ...$this->rules()));
        } elseif ($why === null) {
            $this->examine($name, $this->rights());
        } elseif ($user !== null) { // somebody wants to know
            $this->unknown('rights', "the rights of $name were not checked: $why", $advice, ...$commands);
        } else {
            $this->notChecked('rights', "the rights of $name were not checked: $why", $advice, ...$commands);
        }
        $user === null || $this->examineUser($user);
    }

    /** @return array{?string, string, list<string>} why nobody can tell what this user may do, and what to do; null: the server tells it; '': it knows none */
    private function whyNot(string $user): array
    {
        [$reply] = $this->patient->node->askAll([['ACL', 'DRYRUN', $user, 'PING']]);
        $error = $reply instanceof Failure ? $reply->getMessage() : null;
        return match (true) {
            $error === null => [null, '', []],
            (bool) preg_match("/^ERR User '.*' not found$/s", $error) => ['', '', []],
            str_starts_with($error, 'NOPERM') => ['whoever asks needs +acl|dryrun', "log in as a user that has it, and say --user=$user", []],
            (bool) preg_match('/unknown (sub)?command/i', $error) => ['this server has no ACL DRYRUN (Redis has it from 7.0 on, some services lack it)', 'compare them with docs/operations.md', [$this->patient->cli('ACL', 'GETUSER', $user)]],
            default => ["ACL DRYRUN: $error", '', []],
        };
    }

    /** Is it told of here? Some rights are for what this server is not. */
    private function isWanted(Right $right): bool
    {
        $server = $this->patient->server;
        return match ($right->rule) {
            'role' => $server->sentinels !== null,
            'asking', 'cluster|slots' => $server->cluster !== null,
            'select' => $server->address->database !== 0,
            default => true,
        };
    }

    /** @param list<Right> $rights */
    private function examine(string $user, array $rights): void
    {
        $replies = $this->patient->node->askAll(array_map(fn (Right $right) => ['ACL', 'DRYRUN', $user, ...$this->filledIn($right->example)], $rights));
        $missing = $hidden = $told = [];
        foreach (array_map(null, $rights, $replies) as [$right, $reply]) {
            $words = $reply instanceof Failure ? '' : (string) $reply; // a command that is not there is no right that is missing
            match (true) {
                str_contains($words, ' to run ') => $missing["{$right->level->rank()} $right->without"][] = $right,
                str_contains($words, ' key') => $hidden[] = $right,
                $words !== 'OK' => $told[] = $right->rule,
                default => null,
            };
        }
        ksort($missing);
        if ($hidden !== []) {
            $keys = implode(' and ', $this->patterns);
            $this->critical('rights', "$user may not touch all the keys $keys: " . self::NO_LOCK, 'allow them', ...$this->allow($user, ...$this->patterns));
        }
        // If no command may be run, nothing is known of keys.
        $patterns = count(array_merge(...array_values($missing))) === count($rights) ? $this->patterns : [];
        $left = count($missing);
        foreach ($missing as $some) {
            $rules = array_map(fn (Right $right) => "+$right->rule", $some);
            $what = "$user lacks " . implode(' ', $rules) . ": {$some[0]->without}";
            $commands = [$this->patient->cli('ACL', 'SETUSER', $user, ...$patterns, ...$rules), ...(--$left === 0 ? $this->patient->keepUsers() : [])];
            $this->remarks[] = new Remark($some[0]->level, 'rights', $what, 'allow it', $commands);
        }
        $told === [] || $this->notChecked('rights', "whether $user may run " . implode(', ', $told) . ' was not checked: the server has no such commands, or others by these names');
    }

    /** Of a user that the application may have: does it let anybody in? Asked for one that was named, as that shows hashes of passwords. */
    private function examineUser(string $user): void
    {
        [$reply] = $this->patient->node->askAll([['ACL', 'GETUSER', $user]]);
        if ($reply instanceof Failure) {
            $this->notChecked('rights', "ACL GETUSER is refused: whether $user is switched off is not known", 'allow it', $this->patient->allow('+acl|getuser'));
        }
        $flags = array_column(array_chunk(is_array($reply) ? $reply : [], 2), 1, 0)['flags'] ?? [];
        if (in_array('off', (array) $flags, true)) {
            $this->critical('rights', "$user is switched off: whoever logs in so is refused", 'switch it on', ...$this->allow($user, 'on'));
        }
    }

    /** @param list<string> $example @return list<string> */
    private function filledIn(array $example): array
    {
        return array_map(fn (string $word) => match ($word) { 'KEY' => $this->lock, 'SIDE' => $this->side, default => $word }, $example);
    }

    /** @return list<string> */
    private function allow(string $user, string ...$rules): array
    {
        return [$this->patient->cli('ACL', 'SETUSER', $user, ...$rules), ...$this->patient->keepUsers()];
    }

    /** @return list<string> as ACL SETUSER takes them */
    private function rules(): array
    {
        return array_map(fn (Right $right) => "+$right->rule", $this->rights());
    }

    /** @return list<Right> those that docs/operations.md lists, with what tests/php/rights shows of each */
    private function rights(): array
    {
        $no = fn (string $rule, array $example, string $without = self::NO_LOCK) => new Right($rule, $example, Level::Critical, $without);
        $less = fn (string $rule, array $example, string $without = self::NO_WAIT) => new Right($rule, $example, Level::Warning, $without);
        $asks = (int) ini_get('redislock.replicas') > 0;
        return array_values(array_filter([
            $no('evalsha', ['EVALSHA', str_repeat('0', 40), '2', 'KEY', 'SIDE']),
            $no('eval', ['EVAL', 'return 1', '2', 'KEY', 'SIDE']),
            $no('get', ['GET', 'KEY']),
            $no('set', ['SET', 'KEY', 'x']),
            $no('del', ['DEL', 'KEY', 'SIDE']),
            $no('zcard', ['ZCARD', 'SIDE'], 'no lock can be released: each stays until its lease ends'),
            $less('time', ['TIME'], 'no lease can be renewed, no fence be made, and no call can wait'),
            $less('pexpire', ['PEXPIRE', 'KEY', '1000'], 'no lease can be extended, and no call can wait'),
            $less('blpop', ['BLPOP', 'SIDE', '1']),
            $less('pttl', ['PTTL', 'KEY']),
            $less('zadd', ['ZADD', 'SIDE', '1', 'x']),
            $less('zrem', ['ZREM', 'SIDE', 'x']),
            $less('zscore', ['ZSCORE', 'SIDE', 'x']),
            $less('zrangebyscore', ['ZRANGEBYSCORE', 'SIDE', '0', '1']),
            $less('zremrangebyscore', ['ZREMRANGEBYSCORE', 'SIDE', '0', '1']),
            $less('rpush', ['RPUSH', 'SIDE', 'x'], 'no lock is handed to whoever waits for it'),
            $less('lindex', ['LINDEX', 'SIDE', '0'], 'a lock whose next holder died while it was handed over cannot be taken'),
            $less('persist', ['PERSIST', 'KEY'], 'expire() with INF is refused'),
            $no('select', ['SELECT', '1'], 'the database is refused, and so is every lock'),
            new Right('wait', ['WAIT', '1', '1'], $asks ? Level::Critical : Level::Note, 'locks that ask for replicas are refused (option replicas)'),
            new Right('client|setname', ['CLIENT', 'SETNAME', 'redislock'], Level::Note, 'its connections have no name, by which one finds their process'),
            $less('role', ['ROLE'], 'a replica that a sentinel still names as the master is noticed only when it refuses a write'),
            $less('cluster|slots', ['CLUSTER', 'SLOTS'], 'nodes are found by redirections alone'),
            $less('asking', ['ASKING'], 'a name whose slot is just being moved cannot be locked'),
        ], $this->isWanted(...)));
    }
}
