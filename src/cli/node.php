<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** One Redis, over a stream which is opened when it is needed. */
final class Node
{
    private const MEANS = [
        'NOAUTH' => 'a password is needed (NOAUTH): put [user]:password@ before the host, all of it into an environment variable, and use --server=env:NAME',
        'MOVED ' => 'this is a node of a cluster, and another node has this key: use redis-cluster://',
    ];

    private ?Stream $stream = null;
    private ?string $socket = null; // where it was last connected to

    /**
     * @param array<string, string|bool> $tls
     * @param ?Sentinels $sentinels are asked where it is, at each connect
     * @param ?string $where host:port of a node of a cluster
     */
    public function __construct(
        private readonly Address $address,
        private readonly array $tls,
        private readonly ?Sentinels $sentinels = null,
        public readonly ?string $where = null,
    ) {
    }

    private function connect(): void
    {
        $timeout = (float) ini_get('redislock.connect_timeout');
        $where = $this->where ?? $this->sentinels?->findMaster($timeout);
        $found = $this->where === null && $where !== null ? "$where: " : '';
        $socket = $where === null ? $this->address->socket : Address::socket($where, $this->address->tls);
        $this->socket = $socket;
        $node = \WeakReference::create($this); // the two would keep each other alive, which valgrind takes for a leak
        $this->stream = Stream::open($socket, $this->tls, $timeout, static fn (string $why) => $node->get()->fail($found . $why));
        foreach (Stream::login($this->address->user, $this->address->password) as $login) {
            $this->stream->send([$login]);
            $this->stream->takeLogin();
        }
        if ($this->address->database !== 0) {
            $this->ask('SELECT', (string) $this->address->database);
        }
        $role = $this->sentinels === null ? null : $this->tryTo('ROLE'); // who has no right to ask is told by READONLY
        if (is_array($role) && ($role[0] ?? null) !== 'master') {
            $this->fail("{$found}this is a replica, not the master");
        }
    }

    /** The reply to a command; an error reply ends the program. */
    public function ask(#[\SensitiveParameter] string ...$command): mixed
    {
        [$reply] = $this->askAll([$command]);
        if ($reply instanceof Failure) {
            $this->fail("$command[0]: {$reply->getMessage()}");
        }
        return $reply;
    }

    /** The same, of a command that is answered by a pair. @return array{mixed, mixed} */
    public function askForPair(string ...$command): array
    {
        $reply = $this->ask(...$command);
        return is_array($reply) && count($reply) === 2 ? $reply : $this->fail("$command[0]: this is no answer to it");
    }

    /** As ask(), but an error reply is null: what cannot be known is left out. */
    public function tryTo(string ...$command): mixed
    {
        [$reply] = $this->askAll([$command]);
        return $reply instanceof Failure ? null : $reply;
    }

    /** A round trip. Returns false if it is one of a refusal: the user may not PING. */
    public function ping(): bool
    {
        [$reply] = $this->askAll([['PING']]);
        $refused = $reply instanceof Failure && str_starts_with($reply->getMessage(), 'NOPERM');
        if ($reply instanceof Failure && !$refused) {
            $this->fail("PING: {$reply->getMessage()}");
        }
        return !$refused;
    }

    /** What to type to send it a command, without a login. */
    public function cli(string ...$words): string
    {
        [$scheme, $where] = explode('://', $this->socket ?? "tcp://$this->where");
        $colon = (int) strrpos($where, ':');
        $to = match ($scheme) {
            'unix' => ['-s', $where],
            default => ['-h', trim(substr($where, 0, $colon), '[]'), '-p', substr($where, $colon + 1), ...($scheme === 'tls' ? ['--tls'] : [])],
        };
        return self::quoted('redis-cli', ...$to, ...$words);
    }

    /** The same of what redis-cli does to a whole cluster. */
    public function cliForCluster(string $act): string
    {
        return self::quoted('redis-cli', '--cluster', $act, (string) $this->where, ...($this->address->tls ? ['--tls'] : []));
    }

    /** As a shell takes it, and a terminal may be shown it. */
    public static function quoted(string ...$words): string
    {
        return implode(' ', array_map(fn ($word) => match (true) {
            (bool) preg_match('~^[\w@%+=:,./-]+$~D', $word) => $word,
            Screen::isHarmless($word) => "'" . str_replace("'", "'\\''", $word) . "'",
            default => "$'" . preg_replace_callback("/[^\x20-\x7e]|['\\\\]/", fn ($found) => sprintf('\x%02x', ord($found[0])), $word) . "'",
        }, $words));
    }

    /** @param list<list<string>> $commands @return list<mixed> the replies to all of them, in one round trip */
    public function askAll(#[\SensitiveParameter] array $commands): array
    {
        $this->stream !== null || $this->connect();
        return $this->stream->askAll($commands);
    }

    /** The next question makes a new connection. */
    public function fail(string $why): never
    {
        $this->stream = null;
        throw new Failure("{$this->address->label}: " . ($this->where === null ? '' : "$this->where: ") . Stream::inWords($why, array_slice(self::MEANS, 0, $this->where === null ? null : 1)), TROUBLE);
    }
}
