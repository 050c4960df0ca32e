<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** A connection that speaks RESP. Whoever opens it says what becomes of a failure. */
final class Stream
{
    private const LONGEST = 1 << 26; // bytes or elements of a reply
    /** What PHP says => what it means. */
    private const MEANS = [
        'SSL: Handshake timed out' => 'no answer to the TLS handshake in time: it hangs, or does not speak TLS on this port',
        'wrong version number' => 'it does not speak TLS on this port',
    ];

    /**
     * @param resource $stream
     * @param \Closure(string): never $fail
     */
    private function __construct(private $stream, private readonly \Closure $fail)
    {
    }

    /**
     * @param string $socket tcp://…, tls://… or unix://…
     * @param array<string, string|bool> $tls
     * @param \Closure(string): never $fail is told why it cannot be opened, or no longer be used
     * @param bool $atOnce whether it returns while the connection is still being made; for TLS, secure() is to follow
     */
    public static function open(string $socket, array $tls, float $timeout, \Closure $fail, bool $atOnce = false): self
    {
        if (str_starts_with($socket, 'tls:') && !extension_loaded('openssl')) {
            $fail("PHP's extension openssl is needed to look over TLS");
        }
        $socket = $atOnce ? preg_replace('/^tls:/', 'tcp:', $socket) : $socket;
        $flags = STREAM_CLIENT_CONNECT | ($atOnce ? STREAM_CLIENT_ASYNC_CONNECT : 0);
        $context = stream_context_create(['ssl' => $tls]);
        $self = new self(null, $fail);
        $self->stream = $self->orFail(function () use ($socket, &$error, $timeout, $flags, $context) {
            return stream_socket_client($socket, $_, $error, $timeout, $flags, $context);
        }, $error);
        $self->waitAtMost((float) ini_get('redislock.read_timeout'));
        return $self;
    }

    /** What it returns, unless that is false: then PHP says why. */
    private function orFail(callable $act, ?string &$error = null): mixed
    {
        $warning = '';
        set_error_handler(function (int $_, string $text) use (&$warning): bool {
            $warning = $warning ?: $text; // the first one says why, the others that it failed
            return true;
        });
        $result = $act();
        restore_error_handler();
        return $result === false ? $this->fail(trim($error ?: preg_replace('/^.*?: |\s+/', ' ', $warning) ?: 'no connection')) : $result;
    }

    /** @return resource for stream_select() */
    public function handle()
    {
        return $this->stream;
    }

    /** The longest that each read may take, in seconds. */
    public function waitAtMost(float $seconds): void
    {
        stream_set_timeout($this->stream, (int) $seconds, (int) (fmod($seconds, 1) * 1e6));
    }

    /** Fails if the connection that was begun has not come about. */
    public function mustBeMade(): void
    {
        stream_socket_get_name($this->stream, true) !== false || $this->fail('no connection: refused, or not reachable');
    }

    /** Goes on with the TLS handshake as far as it goes without waiting. Returns whether it has ended. */
    public function secure(): bool
    {
        stream_set_blocking($this->stream, false);
        $done = $this->orFail(fn () => stream_socket_enable_crypto($this->stream, true, STREAM_CRYPTO_METHOD_TLS_CLIENT));
        stream_set_blocking($this->stream, true);
        return $done === true;
    }

    /** @return list<list<string>> the command that logs in, if there is a password */
    public static function login(?string $user, #[\SensitiveParameter] ?string $password): array
    {
        return $password === null ? [] : [['AUTH', ...array_filter([$user, $password], is_string(...))]];
    }

    /** Takes the reply to it. */
    public function takeLogin(): void
    {
        $reply = $this->reply();
        if ($reply instanceof Failure) {
            $this->fail('the login was refused (' . strtok($reply->getMessage(), ' ') . ')'); // the rest may quote the password
        }
    }

    /** @param list<list<string>> $commands @return list<mixed> the replies to all of them, in one round trip */
    public function askAll(#[\SensitiveParameter] array $commands): array
    {
        $this->send($commands);
        return $this->replies(count($commands));
    }

    /** @param list<list<string>> $commands */
    public function send(#[\SensitiveParameter] array $commands): void
    {
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
    }

    /** @return list<mixed> the next replies; a Failure is an error reply */
    public function replies(int $count): array
    {
        return array_map(fn () => $this->reply(), array_fill(0, $count, null));
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
            '*' => $rest === '-1' ? null : $this->replies((int) $rest),
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

    private function fail(string $why): never
    {
        ($this->fail)(self::inWords($why, self::MEANS));
    }

    /** @param array<string, string> $means what is said => what it means */
    public static function inWords(string $why, array $means): string
    {
        foreach ($means as $words => $meaning) {
            $why = str_contains($why, $words) ? $meaning : $why;
        }
        return $why;
    }
}
