<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Redis\Connectors\PhpRedisConnector;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Redislock\Laravel\Connections\ConnectionMap;
use Redislock\Laravel\Connections\UnsupportedConnection;

/** Clusters and lists of servers in config/database.php: what they become, or why they are refused. */
class ServerListTest extends TestCase
{
    /** @param array<string, mixed> $redis @param array<string, mixed> $options */
    #[DataProvider('mapped')]
    public function test_it_is_mapped(array $redis, string $address, array $options = []): void
    {
        $server = ConnectionMap::server($redis, 'default');

        self::assertSame([$address, $options], $server->arguments([]));
        self::assertSame([], $server->unknown);
        self::assertStringNotContainsString('secret', print_r($server, true).$server);
    }

    public static function mapped(): array
    {
        $laravel13 = method_exists(PhpRedisConnector::class, 'normalizeClusterContext');
        $node = fn (string $host, array $more = []) => ['host' => $host, 'port' => 7000] + $more;
        $phpredis = fn (array $nodes, array $options = [], array $all = []) => [
            'client' => 'phpredis', 'options' => ['cluster' => 'redis'] + $all, 'clusters' => ['default' => $nodes, 'options' => $options],
        ];
        $predis = fn (array $nodes, array $options = [], array $all = []) => ['client' => 'predis'] + $phpredis($nodes, $options, $all);
        $sentinel = fn (array $nodes, array $parameters = []) => ['client' => 'predis', 'default' => [
            ...$nodes, 'options' => ['replication' => 'sentinel', 'service' => 'mymaster', 'parameters' => $parameters],
        ]];
        $watch = ['tcp://s1:26379', 'tcp://s2:26379', 'tcp://s3:26379'];
        $tls = ['cafile' => '/ca'];

        return [
            // As the documentation of Laravel has it.
            'stock' => [
                $phpredis([[
                    'url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => null, 'port' => '6379', 'database' => '0',
                ]]),
                'redis-cluster://127.0.0.1:6379/0',
            ],
            'three' => [$phpredis([$node('a'), $node('b'), $node('::1')]), 'redis-cluster://a:7000,b:7000,[::1]:7000/0'],
            'names of nodes' => [$phpredis(['one' => $node('a'), 'two' => $node('b')]), 'redis-cluster://a:7000,b:7000/0'],
            'one of them twice' => [$phpredis([$node('a'), $node('a')]), 'redis-cluster://a:7000/0'],
            'without a port' => [$phpredis([['host' => 'a']]), 'redis-cluster://a:6379/0'],
            'urls' => [$phpredis(['redis://a:7000', ['url' => 'tcp://b:7001']]), 'redis-cluster://a:7000,b:7001/0'],
            'more than are needed' => [
                $phpredis(array_map($node, array_map(fn ($i) => "n$i", range(1, 20)))),
                'redis-cluster://'.implode(',', array_map(fn ($i) => "n$i:7000", range(1, 16))).'/0',
            ],
            'a login of a node, which phpredis does not read' => [
                $phpredis([$node('a', ['username' => 'me', 'password' => 'secret', 'database' => 3])]), 'redis-cluster://a:7000/0',
            ],
            'password' => [$phpredis([$node('a')], ['password' => 'secret']), 'redis-cluster://a:7000/0', ['password' => 'secret']],
            'password of all connections' => [$phpredis([$node('a')], [], ['password' => 'secret']), 'redis-cluster://a:7000/0', ['password' => 'secret']],
            'password of this cluster' => [
                $phpredis([$node('a'), 'options' => ['password' => 'secret']], ['password' => 'of all']), 'redis-cluster://a:7000/0', ['password' => 'secret'],
            ],
            'no password of this cluster' => [$phpredis([$node('a'), 'options' => ['password' => null]], ['password' => 'of all']), 'redis-cluster://a:7000/0'],
            'password as an array' => [
                $phpredis([$node('a')], ['password' => ['me', 'secret']]), 'redis-cluster://a:7000/0', ['username' => 'me', 'password' => 'secret'],
            ],
            'username' => [
                $phpredis([$node('a')], ['username' => 'me', 'password' => 'secret']), 'redis-cluster://a:7000/0',
                $laravel13 ? ['username' => 'me', 'password' => 'secret'] : ['password' => 'secret'],
            ],
            'times' => [
                $phpredis([$node('a')], ['timeout' => 0.5, 'read_timeout' => 2]), 'redis-cluster://a:7000/0',
                ['connect_timeout' => 0.5, 'read_timeout' => 2.0],
            ],
            'what has no effect' => [
                $phpredis([$node('a')], ['failover' => 2, 'persistent' => true, 'tcp_keepalive' => 5, 'scan' => 1, 'name' => 'x', 'max_retries' => 3]),
                'redis-cluster://a:7000/0',
            ],
            'what phpredis does not read' => [['options' => ['cluster' => 'predis']] + $phpredis([$node('a')]), 'redis-cluster://a:7000/0'],
            'TLS' => [$phpredis([$node('tls://a'), $node('b', ['scheme' => 'tls'])]), 'rediss-cluster://a:7000,b:7000/0'],
            'TLS by url' => [$phpredis(['rediss://a:7000']), 'rediss-cluster://a:7000/0'],
            'a context encrypts' => [$phpredis([$node('a')], ['context' => $tls]), 'rediss-cluster://a:7000/0', ['tls' => $tls]],
            'an empty context encrypts' => [$phpredis([$node('a')], ['context' => []]), 'rediss-cluster://a:7000/0'],
            ...($laravel13 ? [
                'a context of a stream' => [$phpredis([$node('a')], ['context' => ['stream' => $tls]]), 'rediss-cluster://a:7000/0', ['tls' => $tls]],
                'a context ssl' => [$phpredis([$node('a')], ['context' => ['ssl' => $tls]]), 'rediss-cluster://a:7000/0', ['tls' => $tls]],
            ] : []),

            'Predis, stock' => [
                $predis([[
                    'url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => null, 'port' => '6379', 'database' => '0',
                ]]),
                'redis-cluster://127.0.0.1:6379/0',
            ],
            'Predis, by its other name' => [['options' => ['cluster' => 'redis-cluster']] + $predis([$node('a')]), 'redis-cluster://a:7000/0'],
            'Predis, login' => [
                $predis([$node('a', ['username' => 'me', 'password' => 'secret']), 'redis://me:secret@b:7000']),
                'redis-cluster://a:7000,b:7000/0', ['username' => 'me', 'password' => 'secret'],
            ],
            'Predis, login of all' => [
                $predis([$node('a', ['password' => null])], ['parameters' => ['password' => 'secret', 'read_write_timeout' => 2, 'timeout' => 0.5]]),
                'redis-cluster://a:7000/0', ['connect_timeout' => 0.5, 'read_timeout' => 2.0, 'password' => 'secret'],
            ],
            'Predis, database' => [$predis([$node('a', ['database' => 2])]), 'redis-cluster://a:7000/2'],
            'Predis, TLS' => [$predis([$node('a', ['scheme' => 'tls', 'ssl' => $tls])]), 'rediss-cluster://a:7000/0', ['tls' => $tls]],
            'Predis, a list as a connection' => [
                ['client' => 'predis', 'default' => ['tcp://a:7000', 'tcp://b:7000', 'options' => ['cluster' => 'redis']]], 'redis-cluster://a:7000,b:7000/0',
            ],

            'Sentinel' => [$sentinel($watch), 'redis-sentinel://s1:26379,s2:26379,s3:26379/mymaster/0'],
            'Sentinel by its other name' => [
                ['client' => 'predis', 'default' => $watch, 'options' => ['replication' => 'redis-sentinel', 'service' => 'mymaster']],
                'redis-sentinel://s1:26379,s2:26379,s3:26379/mymaster/0',
            ],
            'Sentinel among the clusters' => [
                ['client' => 'predis', 'clusters' => ['default' => $watch, 'options' => ['replication' => 'sentinel', 'service' => 'mymaster']]],
                'redis-sentinel://s1:26379,s2:26379,s3:26379/mymaster/0',
            ],
            'Sentinel by arrays' => [$sentinel([['host' => 's1', 'port' => 26379], ['host' => 's2']]), 'redis-sentinel://s1:26379,s2:6379/mymaster/0'],
            'an odd name of a master' => [
                ['client' => 'predis', 'default' => ['tcp://s1:26379', 'options' => ['replication' => 'sentinel', 'service' => 'a/b']]],
                'redis-sentinel://s1:26379/a%2Fb/0',
            ],
            'the login is the master\'s' => [
                $sentinel($watch, ['username' => 'me', 'password' => 'secret', 'database' => 3, 'timeout' => 0.5]),
                'redis-sentinel://s1:26379,s2:26379,s3:26379/mymaster/3', ['connect_timeout' => 0.5, 'username' => 'me', 'password' => 'secret'],
            ],
            'the login of this connection' => [
                ['client' => 'predis', 'default' => $watch, 'options' => [
                    'replication' => 'sentinel', 'service' => 'mymaster', 'parameters' => ['default' => ['password' => 'secret'], 'cache' => ['password' => 'x']],
                ]],
                'redis-sentinel://s1:26379,s2:26379,s3:26379/mymaster/0', ['password' => 'secret'],
            ],
            'a login at the sentinels' => [
                $sentinel(['redis://watch:secret2@s1:26379', 'tcp://s2:26379?username=watch&password=secret2'], ['password' => 'secret']),
                'redis-sentinel://s1:26379,s2:26379/mymaster/0',
                ['password' => 'secret', 'sentinel_username' => 'watch', 'sentinel_password' => 'secret2'],
            ],
            'TLS with both' => [
                $sentinel(['tls://s1:26379'], ['scheme' => 'tls', 'ssl' => $tls]), 'rediss-sentinel://s1:26379/mymaster/0', ['tls' => $tls],
            ],
            'TLS with the master' => [
                $sentinel(['tcp://s1:26379'], ['scheme' => 'tls', 'ssl' => $tls]), 'rediss-sentinel://s1:26379/mymaster/0', ['tls' => $tls, 'sentinel_tls' => false],
            ],
            'TLS with the sentinels' => [
                $sentinel([['scheme' => 'tls', 'host' => 's1', 'port' => 26379, 'ssl' => $tls]]), 'redis-sentinel://s1:26379/mymaster/0',
                ['tls' => $tls, 'sentinel_tls' => true],
            ],

            'a master without sentinels' => [
                ['client' => 'predis', 'default' => ['tcp://a:7000', 'redis://:secret@b:7000/2?role=master', 'options' => ['replication' => 'predis']]],
                'redis://b:7000/2', ['password' => 'secret'],
            ],
        ];
    }

    /** @param array<string, mixed> $redis */
    #[DataProvider('prefixes')]
    public function test_the_prefix_is_the_clients(string $prefix, array $redis): void
    {
        $cluster = $redis['clusters']['default'] ?? [];
        $redis['clusters']['default'] = $cluster + [['host' => 'a', 'port' => 7000]];
        foreach (['phpredis', 'predis'] as $client) {
            self::assertSame($prefix, ConnectionMap::server(['client' => $client] + $redis, 'default')->prefix, $client);
        }
    }

    public static function prefixes(): array
    {
        $all = ['options' => ['cluster' => 'redis', 'prefix' => 'all:']];
        $clusters = ['clusters' => ['options' => ['prefix' => '{clusters}:']]];

        return [
            'none' => ['', ['options' => ['cluster' => 'redis']]],
            'all' => ['all:', $all],
            'of all clusters' => ['{clusters}:', array_merge_recursive($all, $clusters)],
            'its own' => ['own:', array_merge_recursive($all, $clusters, ['clusters' => ['default' => ['options' => ['prefix' => 'own:']]]])],
        ];
    }

    public function test_what_packs(): void
    {
        $packs = fn (array $options, string $client = 'phpredis') => ConnectionMap::server(
            ['client' => $client, 'clusters' => ['default' => [['host' => 'a', 'port' => 1]], 'options' => $options + ['cluster' => 'redis']]], 'default',
        )->packs;

        self::assertFalse($packs([]));
        self::assertTrue($packs(['serializer' => 1]));
        self::assertTrue($packs(['compression' => 1]));
        self::assertFalse($packs(['serializer' => 1], 'predis'), 'Predis does not read it');
    }

    public function test_what_is_not_known_is_told_once(): void
    {
        $server = ConnectionMap::server(['clusters' => [
            'default' => [['host' => 'a', 'port' => 1], ['host' => 'b', 'port' => 1]], 'options' => ['tuning' => 1],
        ]], 'default');
        self::assertSame(['clusters.options.tuning'], $server->unknown);

        $server = ConnectionMap::server(['client' => 'predis', 'clusters' => [
            'default' => [['host' => 'a', 'idle' => 1], ['host' => 'b']], 'options' => ['cluster' => 'redis', 'parameters' => ['tuning' => 1]],
        ]], 'default');
        self::assertSame(['options.parameters.tuning', 'clusters.default.0.idle'], $server->unknown);
    }

    /** @param array<string, mixed> $redis */
    #[DataProvider('refused')]
    public function test_it_is_refused_by_its_name(string $message, array $redis): void
    {
        try {
            ConnectionMap::server($redis, 'default');
            self::fail('it was mapped');
        } catch (UnsupportedConnection $e) {
            self::assertSame("redislock cannot use database.redis.$message", $e->getMessage());
            self::assertStringNotContainsString('secret', (string) $e);
        }
    }

    public static function refused(): array
    {
        $cluster = fn (array $nodes, array $options = []) => ['clusters' => ['default' => $nodes, 'options' => $options]];
        $predis = fn (array $nodes, array $options = []) => ['client' => 'predis'] + $cluster($nodes, $options + ['cluster' => 'redis']);
        $list = fn (array $servers, array $options) => ['client' => 'predis', 'default' => [...$servers, 'options' => $options]];
        $a = ['host' => 'a', 'port' => 7000, 'password' => 'secret'];
        $same = 'it must be the same for all servers of the list';
        $name = "name the lock's server itself, as `server` in the store's entry of config/cache.php and in config/redislock.php:"
            ." 'redis-sentinel://host,host,host/mymaster'";

        return [
            'another client' => ["client: 'phpredis' and 'predis' are supported, 'phpredis-sentinel' is not; $name", ['client' => 'phpredis-sentinel', 'default' => $a]],
            'a sentinel of phpredis' => [
                "default.sentinel_host: it leads to another server than the connection names; $name", ['default' => $a + ['sentinel_host' => 's1']],
            ],
            'a list' => ['default: with phpredis, Laravel takes a list of servers in clusters alone', ['default' => ['tcp://a', 'tcp://b']]],
            'no list' => ['clusters.default: it is no list of servers', ['clusters' => ['default' => 'redis://:secret@a']]],
            'no node' => ['clusters.default: it names no server', $cluster(['options' => []])],
            'not a node' => ['clusters.default.1: it is no server', $cluster([$a, 5])],
            'not a node, Predis' => ['default.1: it is no server', $list(['tcp://a', 5], ['cluster' => 'redis'])],
            'a malformed node, Predis' => ['default.0: it is no server', $list(['tcp://:secret@a:b:c'], ['cluster' => 'redis'])],
            'a prefix among the nodes' => ['clusters.default.prefix: Laravel takes it for a server; write it in options', $cluster([$a, 'prefix' => 'x:'])],
            'no host' => ['clusters.default.1.host: it is empty', $cluster([$a, ['port' => 7000]])],
            'a port' => ['clusters.default.0.port: it is no whole number from 0 to 65535', $cluster([['host' => 'a', 'port' => 'x']])],
            'a socket' => ['clusters.default.0.host: one of several servers cannot be a socket', $cluster([['host' => '/run/redis.sock', 'port' => 0]])],
            'a socket, Predis' => [
                'clusters.default.0.host: one of several servers cannot be a socket', $predis([['scheme' => 'unix', 'path' => '/run/redis.sock', 'host' => null]]),
            ],
            'a url' => [
                'clusters.default.0.url: it may begin with redis, rediss, valkey, valkeys, tcp or tls, not with http://', $cluster(['http://:secret@a:7000']),
            ],
            'an option' => ['clusters.options.timeout: it is no number of seconds', $cluster([$a], ['timeout' => 'soon'])],
            'a context' => ['clusters.options.context: it is no array', $cluster([$a], ['context' => 'x'])],
            'an option of TLS' => [
                'clusters.options.context.ciphers: of the TLS context cafile, capath, local_cert, local_pk, peer_name, verify_peer, verify_peer_name are supported',
                $cluster([$a], ['context' => ['ciphers' => 'x']]),
            ],
            'TLS with some' => ["clusters.default.1.scheme: $same", $cluster([$a, ['scheme' => 'tls', 'host' => 'b', 'port' => 7000]])],
            'two logins, Predis' => ["clusters.default.1.password: $same", $predis([$a, ['host' => 'b', 'password' => 'secret2']])],
            'two databases, Predis' => ["clusters.default.1.database: $same", $predis([['host' => 'a'], ['host' => 'b', 'database' => 2]])],
            'two authorities, Predis' => [
                "clusters.default.1.ssl: $same",
                $predis([['scheme' => 'tls', 'host' => 'a'], ['scheme' => 'tls', 'host' => 'b', 'ssl' => ['cafile' => '/b']]]),
            ],
            'keys that Predis spreads' => [
                "clusters.options.cluster: a lock needs 'redis'; otherwise Predis itself spreads the keys over the servers, and would look for a lock elsewhere"
                    .' once a server is added',
                $predis([$a], ['cluster' => 'predis']),
            ],
            'a list for nothing, Predis' => [
                "clusters.default.cluster: Predis needs it for a list of servers: 'redis', or options.replication", ['client' => 'predis'] + $cluster([$a]),
            ],
            'a cluster of sentinels' => [
                'default.options.replication: beside options.cluster Predis does not read it; leave out the one that is not meant',
                $list(['tcp://a'], ['replication' => 'sentinel', 'service' => 'mymaster']) + ['options' => ['cluster' => 'redis']],
            ],
            'connections of Predis' => [
                'clusters.options.connections: it leads to another server than the connection names', $predis([$a], ['connections' => ['tcp' => 'Mine']]),
            ],
            'no master\'s name' => [
                "default.options.service: Predis needs the name under which the sentinels watch the master, such as 'mymaster'",
                $list(['tcp://a'], ['replication' => 'sentinel', 'service' => '']),
            ],
            'many sentinels' => [
                'default: it names more than 16 sentinels',
                $list(array_map(fn ($i) => "tcp://s$i", range(1, 17)), ['replication' => 'sentinel', 'service' => 'mymaster']),
            ],
            'two logins at sentinels' => [
                "default.1.password: $same",
                $list(['redis://:secret@a', 'redis://:secret2@b'], ['replication' => 'sentinel', 'service' => 'mymaster']),
            ],
            'TLS of two kinds' => [
                'default.0.ssl: it must be the same as that of the master in options.parameters',
                $list([['scheme' => 'tls', 'host' => 'a', 'ssl' => ['cafile' => '/a']]], [
                    'replication' => 'sentinel', 'service' => 'mymaster', 'parameters' => ['scheme' => 'tls', 'ssl' => ['cafile' => '/b']],
                ]),
            ],
            'replicas without sentinels' => [
                "default.options.replication: without sentinels, one server must have 'role' => 'master'", $list(['tcp://a', 'tcp://b'], ['replication' => 'predis']),
            ],
            'replicas of two masters' => [
                "default.options.replication: without sentinels, one server must have 'role' => 'master'",
                $list(['tcp://a?role=master', 'tcp://b?role=master'], ['replication' => 'predis']),
            ],
            'replicas whose master is looked for' => [
                'default.options.autodiscovery: Predis may take another server for the master than the one that is named',
                $list(['tcp://a?role=master', 'tcp://b'], ['replication' => 'predis', 'autodiscovery' => true]),
            ],
            'replication of its own kind' => [
                "default.options.replication: 'sentinel', or 'predis' with a named master, are supported", $list(['tcp://a', 'tcp://b'], ['replication' => true]),
            ],
        ];
    }

    public function test_what_a_client_makes_of_a_key(): void
    {
        $redis = ['options' => ['prefix' => 'all:', 'serializer' => 1], 'clusters' => ['default' => [['nothing that is read']]], 'cache' => ['prefix' => 'own:']];

        self::assertSame(['all:', true], ConnectionMap::keys($redis, 'default'));
        self::assertSame(['own:', true], ConnectionMap::keys($redis, 'cache'));
        self::assertSame(['own:', false], ConnectionMap::keys(['client' => 'predis'] + $redis, 'cache'));
    }
}
