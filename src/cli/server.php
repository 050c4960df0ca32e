<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Where the server is, taken from a DSN that the extension has found to be one. */
final class Address
{
    public readonly string $socket; // as stream_socket_client() takes it
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
        $host = $at === false ? $authority : substr($authority, $at + 1);

        if ($scheme === 'unix') {
            $this->database = (int) substr($query, strlen('db='));
            $this->socket = 'unix://' . rawurldecode($path);
            $this->label = $this->socket . ($this->database === 0 ? '' : "?db=$this->database");
            return;
        }
        $this->database = (int) ($query === '' ? substr($path, 1) : substr($query, strlen('db=')));
        preg_match('/^(\[.*\]|[^:]*)(?::(\d+))?$/', $host, $found);
        $where = rawurldecode($found[1]) . ':' . ($found[2] ?? 6379);
        $tls = in_array($scheme, ['rediss', 'valkeys', 'tls'], true);
        $this->socket = ($tls ? 'tls' : 'tcp') . "://$where";
        $this->label = ($tls ? 'rediss' : 'redis') . "://$where/$this->database";
    }
}

/** A server to ask: by the extension, or over a stream of our own that speaks RESP and is opened when it is needed. */
final class Server
{
    private const LONGEST = 1 << 26; // bytes or elements of a reply
    /** What PHP or Redis says => what it means. */
    private const MEANS = [
        'NOAUTH' => 'a password is needed (NOAUTH): put redis://[user]:password@host into an environment variable, and use --server=env:NAME',
        'SSL: Handshake timed out' => 'no answer to the TLS handshake in time: it hangs, or does not speak TLS on this port',
        'wrong version number' => 'it does not speak TLS on this port',
    ];

    public readonly Address $address;
    /** @var ?resource */
    private $stream = null;

    /** @param array<string, string|bool> $tls */
    public function __construct(
        #[\SensitiveParameter] string $dsn,
        public readonly \RedisLock $lock,
        public readonly string $prefix,
        private readonly array $tls,
    ) {
        $this->address = new Address($dsn);
    }

    private function connect(): void
    {
        if (str_starts_with($this->address->socket, 'tls:') && !extension_loaded('openssl')) {
            $this->fail("PHP's extension openssl is needed to look over TLS");
        }
        $warning = '';
        set_error_handler(function (int $_, string $text) use (&$warning): bool {
            $warning = $warning ?: $text; // the first one says why, the others that it failed
            return true;
        });
        $timeout = (float) ini_get('redislock.connect_timeout');
        $context = stream_context_create(['ssl' => $this->tls]);
        $stream = stream_socket_client($this->address->socket, $_, $error, $timeout, context: $context);
        restore_error_handler();
        if (!$stream) {
            $this->fail(trim($error ?: preg_replace('/^.*?: |\s+/', ' ', $warning) ?: 'no connection'));
        }
        $timeout = (float) ini_get('redislock.read_timeout');
        stream_set_timeout($stream, (int) $timeout, (int) (fmod($timeout, 1) * 1e6));
        $this->stream = $stream;
        if ($this->address->password !== null) {
            [$reply] = $this->askAll([['AUTH', ...array_filter([$this->address->user, $this->address->password], is_string(...))]]);
            if ($reply instanceof Failure) {
                $this->fail('the login was refused (' . strtok($reply->getMessage(), ' ') . ')'); // the rest may quote the password
            }
        }
        if ($this->address->database !== 0) {
            $this->ask('SELECT', (string) $this->address->database);
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
        $request = '';
        foreach ($commands as $command) {
            $request .= '*' . count($command) . "\r\n";
            foreach ($command as $word) {
                $request .= '$' . strlen($word) . "\r\n$word\r\n";
            }
        }
        for ($sent = 0; $sent < strlen($request); $sent += $n) {
            $n = @fwrite($this->stream, substr($request, $sent, 65536));
            $n || $this->broken();
        }
        return array_map(fn () => $this->reply(), $commands);
    }

    private function reply(): mixed
    {
        $line = fgets($this->stream);
        if ($line === false || !str_ends_with($line, "\r\n")) {
            $this->broken();
        }
        $rest = substr($line, 1, -2);
        if (($line[0] === '$' || $line[0] === '*') && (int) $rest > self::LONGEST) {
            $this->fail('its reply is too long');
        }
        return match ($line[0]) {
            '+' => $rest,
            '-' => new Failure($rest, TROUBLE),
            ':' => (int) $rest,
            '$' => $rest === '-1' ? null : substr($this->bytes((int) $rest + 2), 0, -2),
            '*' => $rest === '-1' ? null : array_map(fn () => $this->reply(), array_fill(0, (int) $rest, null)),
            default => $this->fail('this is no Redis'),
        };
    }

    private function bytes(int $count): string
    {
        $bytes = '';
        while (strlen($bytes) < $count) {
            $chunk = fread($this->stream, $count - strlen($bytes));
            $chunk !== false && $chunk !== '' || $this->broken();
            $bytes .= $chunk;
        }
        return $bytes;
    }

    private function broken(): never
    {
        $this->fail(stream_get_meta_data($this->stream)['timed_out'] ? 'no answer in time' : 'the server closed the connection');
    }

    /** The next question makes a new connection. */
    public function fail(string $why): never
    {
        $this->stream = null;
        foreach (self::MEANS as $words => $meaning) {
            $why = str_contains($why, $words) ? $meaning : $why;
        }
        throw new Failure("{$this->address->label}: $why", TROUBLE);
    }
}
