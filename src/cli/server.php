<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Where the server is, taken from a DSN that the extension has found to be one. */
final class Address
{
    public readonly ?string $socket; // as stream_socket_client() takes it; null: the sentinels know
    /** @var list<string> the sentinels' sockets without a scheme, host:port; [] if the DSN names the server itself */
    public readonly array $sentinels;
    public readonly string $master; // the name by which the sentinels know it
    public readonly bool $tls;
    public readonly ?string $user;
    public readonly ?string $password;
    public readonly int $database;
    public readonly string $label; // without a secret

    public function __construct(#[\SensitiveParameter] string $dsn)
    {
        [$scheme, $rest] = explode('://', $dsn, 2);
        $scheme = strtolower($scheme);
        [$rest, $query] = [...explode('?', $rest, 2), ''];
        $slash = strpos($rest, '/');
        $authority = $slash === false ? $rest : substr($rest, 0, $slash);
        $path = $slash === false ? '' : substr($rest, $slash);

        $at = strrpos($authority, '@'); // a password may hold one that was not encoded
        [$user, $password] = [...explode(':', $at === false ? '' : substr($authority, 0, $at), 2), ''];
        $this->user = $user === '' ? null : rawurldecode($user);
        $this->password = $password === '' ? null : rawurldecode($password);
        $hosts = $at === false ? $authority : substr($authority, $at + 1);
        $this->tls = (bool) preg_match('/^(rediss|valkeys|tls)(-sentinel)?$/', $scheme);

        if ($scheme === 'unix') {
            [$this->sentinels, $this->master] = [[], ''];
            $this->database = (int) substr($query, strlen('db='));
            $this->socket = 'unix://' . rawurldecode($path);
            $this->label = $this->socket . ($this->database === 0 ? '' : "?db=$this->database");
            return;
        }
        $finds = str_ends_with($scheme, '-sentinel');
        [, $name, $database] = [...explode('/', $finds ? $path : "/$path", 3), '', ''];
        $database = $finds ? $database : ltrim($database, '/');
        $this->database = (int) ($query === '' ? $database : substr($query, strlen('db=')));
        $where = array_map(fn ($host) => self::where($host, $finds ? 26379 : 6379), $finds ? explode(',', $hosts) : [$hosts]);
        $this->master = rawurldecode($name);
        $this->sentinels = $finds ? $where : [];
        $this->socket = $finds ? null : self::socket($where[0], $this->tls);
        $this->label = ($this->tls ? 'rediss' : 'redis') . ($finds ? '-sentinel' : '') . '://' . implode(',', $where) . ($finds ? "/$this->master" : '') . "/$this->database";
    }

    /** host:port of one whose port may be left out. */
    private static function where(string $host, int $port): string
    {
        preg_match('/^(\[.*\]|[^:]*)(?::(\d+))?$/', $host, $found);
        return rawurldecode($found[1]) . ':' . ($found[2] ?? $port);
    }

    public static function socket(string $where, bool $tls): string
    {
        return ($tls ? 'tls' : 'tcp') . "://$where";
    }
}

/** A server to ask: by the extension, or over a stream of our own, which is opened when it is needed. */
final class Server
{
    private const MEANS = [
        'NOAUTH' => 'a password is needed (NOAUTH): put redis://[user]:password@host into an environment variable, and use --server=env:NAME',
    ];

    public readonly Address $address;
    /** Null: the address names the server itself. */
    public readonly ?Sentinels $sentinels;
    private ?Stream $stream = null;

    /**
     * @param array<string, string|bool> $tls
     * @param array<string, string> $options those for sentinels, as RedisLock takes them
     */
    public function __construct(
        #[\SensitiveParameter] string $dsn,
        public readonly \RedisLock $lock,
        public readonly string $prefix,
        private readonly array $tls,
        #[\SensitiveParameter] array $options,
    ) {
        $this->address = new Address($dsn);
        $this->sentinels = $this->address->sentinels === [] ? null : new Sentinels($this->address, $tls, $options);
    }

    private function connect(): void
    {
        $timeout = (float) ini_get('redislock.connect_timeout');
        $socket = $this->address->socket ?? Address::socket($this->sentinels->findMaster($timeout), $this->address->tls);
        $found = $this->address->socket === null ? substr($socket, strlen('tcp://')) . ': ' : '';
        $this->stream = Stream::open($socket, $this->tls, $timeout, fn (string $why) => $this->fail($found . $why));
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
        throw new Failure("{$this->address->label}: " . Stream::inWords($why, self::MEANS), TROUBLE);
    }
}
