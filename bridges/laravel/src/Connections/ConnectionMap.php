<?php

namespace Redislock\Laravel\Connections;

use SensitiveParameter;

/**
 * Turns a connection of config/database.php into a server, as Laravel's Redis client understands it: the lock shall be
 * where that client would put it. The README has the table. What leads to another place is refused, since a lock there
 * keeps nobody out. What is not known is ignored and told: most likely it is new, and tunes the client.
 */
abstract class ConnectionMap
{
    /** What says nothing about where a key is or what is in it. A map adds what only the other client is told with. */
    protected const WITHOUT_EFFECT = [
        'alias', 'async_connect', 'backoff_algorithm', 'backoff_base', 'backoff_cap', 'client_info', 'cluster',
        'command_retries', 'compression_level', 'conn_uid', 'failover', 'max_retries', 'name', 'pack_ignore_numbers',
        'persistent', 'persistent_id', 'protocol', 'retry', 'retry_interval', 'scan', 'tcp_keepalive', 'tcp_nodelay',
        'weight',
    ];

    /** What leads a client to other servers than the connection names; so does all that begins with `sentinel`. */
    private const ELSEWHERE = ['aggregate', 'connections', 'replication', 'service'];

    /** What those can do of whom Laravel itself knows no such setting. */
    private const NAME_THE_SERVER = "name the lock's server itself, as `server` in the store's entry of config/cache.php"
        ." and in config/redislock.php: 'redis-sentinel://host,host,host/mymaster'";

    private const TLS_OPTIONS = [
        'cafile', 'capath', 'local_cert', 'local_pk', 'peer_name', 'verify_peer', 'verify_peer_name',
    ];

    /** What says whom to trust and how to encrypt, and cannot be honoured. */
    private const TLS_REFUSED = [
        'allow_self_signed', 'ciphers', 'ciphersuites', 'crypto_method', 'min_proto_version', 'max_proto_version',
        'passphrase', 'peer_fingerprint', 'security_level', 'verify_depth',
    ];

    /** @var array<string, array{array<string, mixed>, Server}> by name: of which settings it was made, and it */
    private static array $made = [];

    final public function __construct(protected readonly ConnectionSettings $settings)
    {
    }

    /**
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     *
     * @throws UnsupportedConnection it names the key
     */
    public static function server(#[SensitiveParameter] array $redis, string $name): Server
    {
        // Each lock asks anew; as long as nothing was changed, the comparison is all that it costs.
        [$settings, $server] = self::$made[$name] ?? [null, null];
        if ($settings !== $redis) {
            $server = self::make($redis, $name);
            self::$made[$name] = [$redis, $server];
        }

        return $server;
    }

    /**
     * What a client of the connection puts before each key, and whether it stores something else than the plain value.
     *
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     * @return array{string, bool}
     *
     * @throws UnsupportedConnection
     */
    public static function keys(#[SensitiveParameter] array $redis, string $name): array
    {
        $client = self::client($redis);
        $list = ServerList::of($redis, $client, $name);
        $map = self::over($list === null ? ConnectionSettings::of($redis, $client, $name) : $list->options(), $client);

        return [$map->prefix(), $map->packs()];
    }

    /** @param array<string, mixed> $redis */
    public static function knows(array $redis): bool
    {
        return in_array($redis['client'] ?? 'phpredis', ['phpredis', 'predis'], true);
    }

    /** @param array<string, mixed> $redis */
    private static function make(#[SensitiveParameter] array $redis, string $name): Server
    {
        $client = self::client($redis);
        [$prefix, $packs] = self::keys($redis, $name);
        $list = ServerList::of($redis, $client, $name);
        if ($list !== null) {
            return $client === 'phpredis' ? PhpRedisClusterMap::cluster($list, $prefix, $packs) : PredisListMap::server($list, $prefix);
        }

        return self::over(ConnectionSettings::of($redis, $client, $name), $client)->map($prefix, $packs);
    }

    /** @param array<string, mixed> $redis */
    private static function client(array $redis): string
    {
        $client = (string) ($redis['client'] ?? 'phpredis');

        return self::knows($redis) ? $client : throw new UnsupportedConnection(
            'client', "'phpredis' and 'predis' are supported, '$client' is not; ".self::NAME_THE_SERVER,
        );
    }

    private static function over(ConnectionSettings $settings, string $client): self
    {
        return $client === 'phpredis' ? new PhpRedisMap($settings) : new PredisMap($settings);
    }

    private function map(string $prefix, bool $packs): Server
    {
        [$scheme, $host] = $this->schemeAndHost();
        if ($scheme === 'unix') {
            $this->takeKeys();
            $options = $this->timeouts() + $this->login();
            $address = $this->socketAddress($host);
            $this->tls(false);
            $this->lookAtTheRest();

            return new Server($address, $options, $prefix, $packs, $this->settings->unknown());
        }

        return $this->nodeAt($scheme, $host)->server($prefix, $packs);
    }

    /** A server that is reached by TCP. */
    final public function node(): Node
    {
        [$scheme, $host] = $this->schemeAndHost();
        if ($scheme === 'unix') {
            $this->settings->refuse('host', 'one of several servers cannot be a socket');
        }

        return $this->nodeAt($scheme, $host);
    }

    private function nodeAt(string $scheme, #[SensitiveParameter] string $host): Node
    {
        $this->takeKeys();
        $host = $this->hostAddress($host);
        $login = $this->login();
        $timeouts = $this->timeouts();
        $database = $this->database();
        $tls = $this->tls($scheme === 'rediss');
        $this->lookAtTheRest();

        return new Node($scheme === 'rediss', $host, $database, $login, $timeouts, $tls, $this->settings->unknown());
    }

    /** keys() tells them. */
    private function takeKeys(): void
    {
        $this->prefix();
        $this->packs();
    }

    private function lookAtTheRest(): void
    {
        foreach ($this->settings->left() as $key) {
            if (in_array($key, self::ELSEWHERE, true) || str_starts_with($key, 'sentinel')) {
                $this->settings->refuse($key, 'it leads to another server than the connection names; '.self::NAME_THE_SERVER);
            }
            if (! in_array($key, static::WITHOUT_EFFECT, true)) {
                $this->settings->ignore($key);
            }
        }
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
        return match (strtolower($written)) {
            'tcp', 'redis', 'valkey' => 'redis',
            'tls', 'ssl', 'rediss', 'valkeys' => 'rediss',
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

    /** The host and its port. */
    private function hostAddress(#[SensitiveParameter] string $host): string
    {
        $bare = trim($host, '[]');
        if (filter_var($bare, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) !== false) {
            $host = "[$bare]";
        } elseif (! preg_match('/^[A-Za-z0-9._-]+$/', $host)) {
            $this->settings->refuse('host', 'it is no name or address of a host');
        }

        return "$host:".($this->number('port', 65535) ?: 6379);
    }

    protected function database(): int
    {
        return $this->number('database', 2 ** 31 - 1);
    }

    private function number(string $key, int $most): int
    {
        $value = $this->settings->pull($key) ?? 0;
        $value = is_int($value) || is_string($value) ? (string) $value : 'none';
        $value = $value === '' ? '0' : $value;
        if (! ctype_digit($value) || (float) $value > $most) {
            $this->settings->refuse($key, "it is no whole number from 0 to $most");
        }

        return (int) $value;
    }

    /** @return array<string, mixed> for the option `tls`; what an unencrypted connection has of it is not used */
    private function tls(bool $used): array
    {
        [$key, $context] = $this->sslContext();
        $tls = [];
        foreach ($used ? $context : [] as $option => $value) {
            if (in_array($option, self::TLS_OPTIONS, true)) {
                $tls[$option] = str_starts_with($option, 'verify_peer') ? (bool) $value : $value;
            } elseif (! in_array($option, self::TLS_REFUSED, true)) {
                $this->settings->ignore("$key.$option");
            } elseif ($option !== 'allow_self_signed' || $value) {
                $this->settings->refuse("$key.$option", 'of the TLS context '.implode(', ', self::TLS_OPTIONS).' are supported');
            }
        }

        return $tls;
    }
}
