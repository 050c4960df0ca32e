<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Where the server is, taken from a DSN that the extension has found to be one. */
final class Address
{
    public readonly ?string $socket; // as stream_socket_client() takes it; null: others know
    /** @var list<string> the sentinels' sockets without a scheme, host:port; [] if none are named */
    public readonly array $sentinels;
    /** @var list<string> the same of the nodes of a cluster that the DSN names */
    public readonly array $seeds;
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
        $this->tls = (bool) preg_match('/^(rediss|valkeys|tls)(-sentinel|-cluster)?$/', $scheme);

        if ($scheme === 'unix') {
            [$this->sentinels, $this->seeds, $this->master] = [[], [], ''];
            $this->database = (int) substr($query, strlen('db='));
            $this->socket = 'unix://' . rawurldecode($path);
            $this->label = $this->socket . ($this->database === 0 ? '' : "?db=$this->database");
            return;
        }
        $finds = preg_match('/-(sentinel|cluster)$/', $scheme, $found) ? $found[1] : null;
        [, $name, $database] = [...explode('/', $finds === 'sentinel' ? $path : "/$path", 3), '', ''];
        $database = ltrim($database, '/');
        $this->database = (int) ($query === '' ? $database : substr($query, strlen('db=')));
        $where = array_map(fn ($host) => self::where($host, $finds === 'sentinel' ? 26379 : 6379), $finds === null ? [$hosts] : explode(',', $hosts));
        $this->master = rawurldecode($name);
        $this->sentinels = $finds === 'sentinel' ? $where : [];
        $this->seeds = $finds === 'cluster' ? $where : [];
        $this->socket = $finds === null ? self::socket($where[0], $this->tls) : null;
        $this->label = ($this->tls ? 'rediss' : 'redis') . ($finds === null ? '' : "-$finds") . '://' . implode(',', $where) . ($finds === 'sentinel' ? "/$this->master" : '') . "/$this->database";
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

/** A server as a DSN names it, which may be a cluster: asked by the extension, or over streams of our own. */
final class Server
{
    public readonly Address $address;
    /** Null: no sentinel is asked where the server is. */
    public readonly ?Sentinels $sentinels;
    /** Null: it is one node. */
    public readonly ?Cluster $cluster;
    private readonly ?Node $node;

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
        $this->cluster = $this->address->seeds === [] ? null : new Cluster($this->address, $tls);
        $this->node = $this->cluster !== null ? null : new Node($this->address, $tls, $this->sentinels);
    }

    /** @return list<Node> those that have locks */
    public function masters(): array
    {
        return $this->cluster?->masters() ?? [$this->node];
    }

    /** The node that has this key. */
    public function nodeOf(string $key): Node
    {
        return $this->cluster?->nodeOf($key) ?? $this->node;
    }

    /** @return list<string> patterns of all keys of locks, as ACL SETUSER takes them, in which there can be no space */
    public function patterns(): array
    {
        $prefix = preg_replace('/\s/', '?', addcslashes($this->prefix, '*?[]\\'));
        return str_contains(Locks::keyBeside("{$this->prefix}x", 'wait'), "{{$this->prefix}") ? ["$prefix*", "{{$prefix}*"] : ["$prefix*"];
    }

    /** A node that others have told of. @param string $where host:port */
    public function nodeAt(string $where): Node
    {
        return $this->cluster?->node($where) ?? new Node($this->address, $this->tls, where: $where);
    }

    /** @param list<list<string>> $commands each asks about one key, its second word @return list<mixed> their replies */
    public function askAbout(array $commands): array
    {
        return $this->cluster?->askAbout($commands) ?? $this->node->askAll($commands);
    }
}
