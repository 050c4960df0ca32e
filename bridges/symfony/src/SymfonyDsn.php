<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use Symfony\Component\Lock\Exception\InvalidArgumentException;

/**
 * A DSN as Symfony's RedisAdapter reads it, for the server that it leads to: `redis:?host[s1:26379]&redis_sentinel=mymaster`,
 * `redis:?host[n1]&redis_cluster=1`, `redis://secret@host?dbindex=3`. What would put a lock somewhere else is refused.
 */
final class SymfonyDsn
{
    /** What only Symfony writes, and this class reads. */
    private const OWN = [
        'auth', 'cluster', 'dbindex', 'host', 'redis_cluster', 'redis_sentinel', 'sentinel', 'sentinel_master', 'ssl',
        ...self::WITHOUT_EFFECT,
    ];

    /** What says nothing about where a key is. Nothing is read from a replica, so `failover` leads a lock nowhere. */
    private const WITHOUT_EFFECT = [
        'class', 'cluster_command_timeout', 'cluster_relay_context', 'failover', 'lazy', 'persistent_id', 'tcp_keepalive',
    ];

    private const TLS_OPTIONS = [
        'cafile', 'capath', 'local_cert', 'local_pk', 'peer_name', 'verify_peer', 'verify_peer_name',
    ];

    private const TLS_WITHOUT_EFFECT = ['capture_peer_cert', 'capture_peer_cert_chain', 'disable_compression'];

    private readonly bool $encrypted;
    private readonly ?string $path;

    /** @var list<string> each with its port */
    private readonly array $hosts;

    private readonly int $database;

    /** @var array<string, string> username and password before the host */
    private readonly array $login;

    /**
     * @param array<mixed> $match   of PATTERN
     * @param array<mixed> $options behind the ?
     */
    private function __construct(#[\SensitiveParameter] array $match, #[\SensitiveParameter] private array $options)
    {
        $this->encrypted = in_array(strtolower($match['scheme']), ['rediss', 'valkeys'], true);
        $this->login = self::login([rawurldecode($match['user'] ?? ''), rawurldecode($match['password'] ?? '')]);
        [$path, $this->database] = $this->database($match['path'] ?? '');
        $host = $match['host'] ?? '';
        [$hosts, $paths] = $this->hosts();
        if ($host !== '') {
            array_unshift($hosts, $host . ':' . (($match['port'] ?? '') ?: 6379));
        } elseif ($path !== '') {
            array_unshift($paths, $path);
        }
        if ($paths !== [] && ($hosts !== [] || count($paths) > 1)) {
            self::refuse('host', 'must not have a socket among several servers');
        }
        $this->hosts = array_values(array_unique($hosts));
        $this->path = $paths[0] ?? null;
    }

    /**
     * @param string       $server  what stands before the ?
     * @param array<mixed> $options behind it
     *
     * @return array{string, array<mixed>} the same as RedisLock takes them, where it is a DSN of this kind
     */
    public static function translate(#[\SensitiveParameter] string $server, #[\SensitiveParameter] array $options): array
    {
        $pattern = '~^(?<scheme>rediss?|valkeys?):(?://)?(?:(?:(?<user>[^:@]*+):)?(?<password>[^@]*+)@)?'
            . '(?<host>\[[^]/]*\]|[^:/]*)(?::(?<port>\d*))?(?<path>/.*)?$~is';
        if (preg_match($pattern, $server, $match, PREG_UNMATCHED_AS_NULL) !== 1) {
            return [$server, $options];
        }
        // Symfony's password needs no colon. To RedisLock that is a user, whose password is an option.
        $hasPassword = isset($match['password']) && $match['user'] === null && $match['password'] !== '' && !isset($options['password']);
        if ($match['host'] !== '' && !$hasPassword && array_intersect(self::OWN, array_keys($options)) === []) {
            return [$server, $options];
        }

        return (new self($match, $options))->result();
    }

    /** @return array{string, array<mixed>} */
    private function result(): array
    {
        $scheme = $this->encrypted ? 'rediss' : 'redis';
        $sentinel = $this->first('sentinel', 'redis_sentinel', 'sentinel_master');
        $cluster = $this->first('cluster', 'redis_cluster');
        $cluster = $cluster !== null && filter_var($cluster, FILTER_VALIDATE_BOOL);
        $auth = self::login($this->options['auth'] ?? '');
        [$first, $second] = $sentinel === null ? [$auth, $this->login] : [$this->login, $auth];
        $login = $first === [] ? $second : $first;
        $hosts = implode(',', $this->hosts);
        $server = match (true) {
            $sentinel !== null && $cluster => self::refuse('redis_cluster', 'and "redis_sentinel" must not be there both'),
            $this->path === null && $hosts === '' => self::refuse('host', 'must name a server'),
            $this->path !== null => $this->socket($sentinel !== null || $cluster),
            $sentinel !== null => "$scheme-sentinel://$hosts/" . rawurlencode(self::master($sentinel)) . "/$this->database",
            $cluster => $this->cluster("$scheme-cluster://" . implode(',', array_slice($this->hosts, 0, 16))), // they name all others
            count($this->hosts) > 1 => self::refuse(
                'host',
                'names several servers, over which Symfony would spread the names; a lock needs "redis_cluster" or "redis_sentinel" then',
            ),
            default => "$scheme://$hosts/$this->database",
        };
        if (is_string($class = $this->options['class'] ?? null) && preg_match('/(^|\\\\)RedisArray$/i', $class) === 1) {
            self::refuse('class', 'must not spread the names over servers');
        }
        $options = array_diff_key($this->options, array_flip(self::OWN));
        if (is_numeric($options['read_timeout'] ?? null) && (float) $options['read_timeout'] === 0.0) {
            unset($options['read_timeout']); // none there, the default here
        }
        $options += $login + $this->tls();
        foreach ($sentinel === null ? [] : $auth as $name => $value) {
            $options += ["sentinel_$name" => $value];
        }

        return [$server, $options + ($this->path === null ? [] : ['database' => $this->database])];
    }

    private function socket(bool $ofSeveral): string
    {
        if ($ofSeveral || $this->encrypted) {
            self::refuse('host', 'must not be a socket here');
        }

        return 'unix://' . implode('/', array_map(rawurlencode(...), explode('/', (string) $this->path)));
    }

    private function cluster(string $server): string
    {
        return $this->database === 0 ? $server : self::refuse('dbindex', 'must be 0 in a cluster');
    }

    /**
     * Splits off the database, which may end the path.
     *
     * @return array{string, int}
     */
    private function database(string $path): array
    {
        $asked = $this->options['dbindex'] ?? null;
        if (preg_match('#/(\d+)?$#', $path, $match) === 1) {
            $database = $match[1] ?? $asked ?? '0';
            $path = substr($path, 0, -strlen($match[0]));
        } else {
            $database = $asked ?? '0';
        }
        if (!is_string($database) || !ctype_digit($database) || strlen($database) > 9 || ($asked !== null && $asked !== $database)) {
            self::refuse('dbindex', 'must be one whole number, there or behind the address');
        }

        return [$path, (int) $database];
    }

    /** @return array{list<string>, list<string>} hosts with their ports, and sockets, of `host[…]` */
    private function hosts(): array
    {
        $hosts = $paths = [];
        $written = $this->options['host'] ?? [];
        foreach (is_array($written) ? $written : self::refuse('host', 'must be written "host[name:port]"') as $host => $parameters) {
            if (is_string($parameters)) {
                parse_str($parameters, $parameters);
            }
            foreach (array_diff_key($parameters, ['alias' => 1, 'weight' => 1]) as $name => $value) {
                self::refuse('host', "must not have \"$name\": all servers are reached in the same way");
            }
            $colon = strrpos((string) $host, ':');
            $name = $colon === false ? (string) $host : substr((string) $host, 0, $colon);
            $port = $colon === false ? 6379 : (int) substr((string) $host, $colon + 1);
            if ($colon !== false && $port === 0) {
                $paths[] = $name;
            } else {
                $hosts[] = (str_contains($name, ':') && $name[0] !== '[' ? "[$name]" : $name) . ":$port";
            }
        }

        return [$hosts, $paths];
    }

    /** @return array<mixed> the option `tls` */
    private function tls(): array
    {
        $ssl = $this->options['ssl'] ?? [];
        if (!is_array($ssl)) {
            self::refuse('ssl', 'must be written "ssl[cafile]=…"');
        }
        if ($ssl !== [] && !$this->encrypted) {
            self::refuse('ssl', 'needs rediss://');
        }
        foreach (array_keys(array_diff_key($ssl, array_flip([...self::TLS_OPTIONS, ...self::TLS_WITHOUT_EFFECT]))) as $name) {
            if ($name !== 'allow_self_signed' || filter_var($ssl[$name], FILTER_VALIDATE_BOOL)) {
                self::refuse("ssl[$name]", 'is not supported; ' . implode(', ', self::TLS_OPTIONS) . ' are');
            }
        }
        $tls = array_intersect_key($ssl, array_flip(self::TLS_OPTIONS));

        return $tls === [] ? [] : ['tls' => $tls];
    }

    private function first(string ...$names): mixed
    {
        foreach ($names as $name) {
            if (isset($this->options[$name])) {
                return $this->options[$name];
            }
        }

        return null;
    }

    private static function master(mixed $name): string
    {
        return is_string($name) && $name !== '' ? $name : self::refuse('redis_sentinel', 'must be the name of the master');
    }

    /**
     * @param mixed $auth a password, or a user and a password
     *
     * @return array<string, string> username and password
     */
    private static function login(#[\SensitiveParameter] mixed $auth): array
    {
        $auth = is_string($auth) ? ['', $auth] : $auth;
        if (!is_array($auth) || !array_is_list($auth) || count($auth) !== 2 || array_filter($auth, is_string(...)) !== $auth) {
            self::refuse('auth', 'must be a password, or a user and a password: "auth[]=user&auth[]=password"');
        }
        [$user, $password] = $auth;

        return match (true) {
            $password === '' => [],
            in_array($user, ['', 'default'], true) => ['password' => $password],
            default => ['username' => $user, 'password' => $password],
        };
    }

    private static function refuse(string $option, string $why): never
    {
        throw new InvalidArgumentException("\"$option\" of a redislock DSN $why.");
    }
}
