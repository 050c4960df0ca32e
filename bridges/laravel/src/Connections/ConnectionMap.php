<?php

namespace Redislock\Laravel\Connections;

use SensitiveParameter;

/**
 * Turns a connection of config/database.php into a server, as Laravel's Redis client understands it: the lock shall be
 * where that client would put it. The README has the table. What is not in it is refused, since a lock in another place
 * keeps nobody out.
 */
abstract class ConnectionMap
{
    /** What says nothing about where a key is or what is in it, and what the other client is told with. */
    protected const WITHOUT_EFFECT = [];

    private const TLS_OPTIONS = [
        'cafile', 'capath', 'local_cert', 'local_pk', 'peer_name', 'verify_peer', 'verify_peer_name',
    ];

    final protected function __construct(protected readonly ConnectionSettings $settings)
    {
    }

    /**
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     *
     * @throws UnsupportedConnection it names the key
     */
    public static function server(#[SensitiveParameter] array $redis, string $name): Server
    {
        $client = (string) ($redis['client'] ?? 'phpredis');
        $map = match ($client) {
            'phpredis' => PhpRedisMap::class,
            'predis' => PredisMap::class,
            default => throw new UnsupportedConnection('client', "'phpredis' and 'predis' are supported, '$client' is not"),
        };

        return (new $map(new ConnectionSettings($redis, $client, $name)))->map();
    }

    private function map(): Server
    {
        $packs = $this->packs();
        $prefix = $this->prefix();
        $options = $this->timeouts() + $this->login();
        [$scheme, $host] = $this->schemeAndHost();
        $address = $scheme === 'unix' ? $this->socketAddress($host) : $this->hostAddress($scheme, $host);
        $tls = $this->tls($scheme === 'rediss');

        foreach ($this->settings->left() as $key) {
            if (! in_array($key, static::WITHOUT_EFFECT, true)) {
                $this->settings->refuse($key, 'what it means for a lock is not known');
            }
        }

        return new Server($address, $tls === [] ? $options : $options + ['tls' => $tls], $prefix, $packs);
    }

    /** Whether the client stores something else than the plain value. */
    abstract protected function packs(): bool;

    abstract protected function prefix(): string;

    /** @return array<string, string> username and password, where the client would log in */
    abstract protected function login(): array;

    /** @return array{'redis'|'rediss'|'unix', string} and the host, or the socket's path */
    abstract protected function schemeAndHost(): array;

    /** @return array<string, float> */
    abstract protected function timeouts(): array;

    /** @return array{string, array<string, mixed>} the key that holds PHP's SSL context, and what it holds */
    abstract protected function sslContext(): array;

    /** @return 'redis'|'rediss'|'unix' */
    protected function scheme(string $written): string
    {
        return match ($written) {
            'tcp', 'redis' => 'redis',
            'tls', 'ssl', 'rediss' => 'rediss',
            'unix' => 'unix',
            default => $this->settings->refuse('scheme', "'$written' is not one of tcp, tls, unix"),
        };
    }

    protected function seconds(string $key): ?float
    {
        $value = $this->settings->pull($key);
        if ($value !== null && ! is_numeric($value)) {
            $this->settings->refuse($key, 'it is no number of seconds');
        }

        return $value > 0 ? (float) $value : null; // none, 0 and -1 are no limit there; then ours is used
    }

    /** @return array<string, string> */
    protected function credentials(#[SensitiveParameter] mixed $username, #[SensitiveParameter] mixed $password): array
    {
        if (! is_scalar($password) || (string) $password === '') {
            return [];
        }
        $login = ['password' => (string) $password];

        return is_scalar($username) && (string) $username !== '' ? ['username' => (string) $username] + $login : $login;
    }

    private function socketAddress(string $path): string
    {
        if (! str_starts_with($path, '/')) {
            $this->settings->refuse('host', 'a socket needs a whole path');
        }
        if ((int) $this->settings->pull('port') > 0) {
            $this->settings->refuse('port', 'a socket has none; write 0');
        }

        return 'unix://'.implode('/', array_map(rawurlencode(...), explode('/', $path))).'?db='.$this->database();
    }

    private function hostAddress(string $scheme, #[SensitiveParameter] string $host): string
    {
        $bare = trim($host, '[]');
        if (filter_var($bare, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false) {
            $host = "[$bare]";
        } elseif (! preg_match('/^[A-Za-z0-9._-]+$/', $host)) {
            $this->settings->refuse('host', 'it is no name or address of a host');
        }

        return "$scheme://$host:".($this->number('port', 65535) ?: 6379).'/'.$this->database();
    }

    private function database(): int
    {
        return $this->number('database', 2 ** 31 - 1);
    }

    private function number(string $key, int $most): int
    {
        $value = $this->settings->pull($key) ?? 0;
        $value = is_int($value) || is_string($value) ? (string) $value : 'none';
        $value = $value === '' ? '0' : $value;
        if (! ctype_digit($value) || (float) $value > $most) {
            $this->settings->refuse($key, "it is no number from 0 to $most");
        }

        return (int) $value;
    }

    /** @return array<string, mixed> for the option `tls`; what an unencrypted connection has of it is not used */
    private function tls(bool $used): array
    {
        [$key, $context] = $this->sslContext();
        $tls = [];
        foreach ($used ? $context : [] as $option => $value) {
            if ($option === 'allow_self_signed' && ! $value) {
                continue;
            }
            if (! in_array($option, self::TLS_OPTIONS, true)) {
                $this->settings->refuse("$key.$option", 'only '.implode(', ', self::TLS_OPTIONS).' are supported');
            }
            $tls[$option] = str_starts_with($option, 'verify_') ? (bool) $value : $value;
        }

        return $tls;
    }
}
