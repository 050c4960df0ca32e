<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Redis\Connectors\PhpRedisConnector;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Redislock\Laravel\Connections\ConnectionMap;
use Redislock\Laravel\Connections\UnsupportedConnection;

/** Every key of a connection, by itself: what it becomes, or that it is refused by its name. */
class ConnectionMapTest extends TestCase
{
    /**
     * @param array<string, mixed> $connection
     * @param array<string, mixed> $options
     * @param array<string, mixed> $redis besides the connection
     */
    #[DataProvider('mapped')]
    public function test_it_is_mapped(array|string $connection, string $address, array $options = [], array $redis = []): void
    {
        $server = ConnectionMap::server($redis + ['default' => $connection], 'default');

        self::assertSame([$address, $options], $server->arguments([]));
    }

    public static function mapped(): array
    {
        $here = ['host' => '127.0.0.1', 'port' => 6379];
        $predis = ['client' => 'predis'];

        return [
            'stock' => [
                [
                    'url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => null, 'port' => '6379', 'database' => '0',
                    'max_retries' => 3, 'backoff_algorithm' => 'decorrelated_jitter', 'backoff_base' => 100, 'backoff_cap' => 1000,
                ],
                'redis://127.0.0.1:6379/0', [],
                ['client' => 'phpredis', 'options' => ['cluster' => 'redis', 'prefix' => 'app:', 'persistent' => false]],
            ],
            'host, port, database' => [['host' => 'redis.internal', 'port' => 6380, 'database' => 3], 'redis://redis.internal:6380/3'],
            'host with an underscore' => [['host' => 'redis_1', 'port' => 6379], 'redis://redis_1:6379/0'],
            'IPv6' => [['host' => '::1', 'port' => 6379], 'redis://[::1]:6379/0'],
            'port 0' => [['host' => 'localhost', 'port' => 0], 'redis://localhost:6379/0'],
            'empty database' => [$here + ['database' => ''], 'redis://127.0.0.1:6379/0'],
            'socket as host' => [['host' => '/run/redis.sock', 'port' => '0', 'database' => 1], 'unix:///run/redis.sock?db=1'],
            'socket as unix://' => [['host' => 'unix:///run/redis.sock', 'port' => null], 'unix:///run/redis.sock?db=0'],
            'socket with the scheme unix' => [['scheme' => 'unix', 'host' => '/run/redis.sock', 'port' => 0], 'unix:///run/redis.sock?db=0'],
            'socket with odd characters' => [['host' => '/run/a b?c%.sock', 'port' => 0], 'unix:///run/a%20b%3Fc%25.sock?db=0'],
            'socket of Predis' => [['scheme' => 'unix', 'path' => '/run/redis.sock', 'database' => 2], 'unix:///run/redis.sock?db=2', [], $predis],
            'scheme tls' => [['scheme' => 'tls', 'host' => 'redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0'],
            'host tls://' => [['host' => 'tls://redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0'],
            'host tls://, Predis' => [['host' => 'tls://redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0', [], $predis],
            'scheme rediss, Predis' => [['scheme' => 'rediss', 'host' => 'redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0', [], $predis],
            'Predis without a host' => [['port' => 6380], 'redis://127.0.0.1:6380/0', [], $predis],
            'url' => [['url' => 'redis://user:s%40cret@redis.internal:6380/3', 'host' => 'not this'], 'redis://redis.internal:6380/3', ['username' => 'user', 'password' => 's@cret']],
            'url with TLS' => [['url' => 'rediss://redis.internal:6380', 'port' => 1], 'rediss://redis.internal:6380/0'],
            'url of a Valkey' => [['url' => 'valkey://redis.internal:6380/3'], 'redis://redis.internal:6380/3'],
            'url of a Valkey with TLS' => [['url' => 'valkeys://redis.internal:6380/3'], 'rediss://redis.internal:6380/3'],
            'url in capitals' => [['url' => 'REDISS://:secret@redis.internal:6380'], 'rediss://redis.internal:6380/0', ['password' => 'secret']],
            'url of a Valkey, Predis' => [['url' => 'Valkeys://redis.internal:6380/3'], 'rediss://redis.internal:6380/3', [], $predis],
            'scheme in capitals' => [['scheme' => 'TLS', 'host' => 'redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0'],
            'scheme and host, one in capitals' => [['scheme' => 'tls', 'host' => 'TLS://redis.internal', 'port' => 6380], 'rediss://redis.internal:6380/0'],
            'scheme valkey, Predis' => [['scheme' => 'VALKEY', 'host' => 'redis.internal', 'port' => 6380], 'redis://redis.internal:6380/0', [], $predis],
            'url with an empty login' => [['url' => 'redis://:@redis.internal:6380'], 'redis://redis.internal:6380/0'],
            'empty login' => [$here + ['username' => '', 'password' => ''], 'redis://127.0.0.1:6379/0'],
            'empty login, Predis' => [$here + ['username' => '', 'password' => ''], 'redis://127.0.0.1:6379/0', [], $predis],
            'a user without a password' => [$here + ['username' => 'me', 'password' => ''], 'redis://127.0.0.1:6379/0'],
            'url with options' => [['url' => 'tcp://redis.internal:6380?read_timeout=5&database=2'], 'redis://redis.internal:6380/2', ['read_timeout' => 5.0]],
            'nothing but a url' => ['redis://redis.internal:6380/1', 'redis://redis.internal:6380/1'],
            'a password of digits in a url' => [['url' => 'redis://:123@redis.internal:6380'], 'redis://redis.internal:6380/0', ['password' => '123']],
            'password' => [$here + ['password' => 'secret'], 'redis://127.0.0.1:6379/0', ['password' => 'secret']],
            'username and password' => [$here + ['username' => 'me', 'password' => 'secret'], 'redis://127.0.0.1:6379/0', ['username' => 'me', 'password' => 'secret']],
            'username without a password: no login' => [$here + ['username' => 'me', 'password' => ''], 'redis://127.0.0.1:6379/0'],
            'password as an array' => [$here + ['password' => ['me', 'secret']], 'redis://127.0.0.1:6379/0', ['username' => 'me', 'password' => 'secret']],
            'login in the context' => [
                $here + ['scheme' => 'tcp', 'context' => ['auth' => ['me', 'secret'], 'stream' => []]],
                'redis://127.0.0.1:6379/0', ['username' => 'me', 'password' => 'secret'],
            ],
            'nothing but a login in the context' => [
                $here + ['context' => ['auth' => ['me', 'secret']]],
                // Laravel 13 takes it for one of the stream's options, of which there is none.
                ...(method_exists(PhpRedisConnector::class, 'normalizeContext')
                    ? ['rediss://127.0.0.1:6379/0'] : ['redis://127.0.0.1:6379/0', ['username' => 'me', 'password' => 'secret']]),
            ],
            'password of all connections, Predis' => [$here, 'redis://127.0.0.1:6379/0', ['password' => 'all'], $predis + ['options' => ['parameters' => ['password' => 'all']]]],
            'password of this connection, Predis' => [
                $here, 'redis://127.0.0.1:6379/0', ['password' => 'own'],
                $predis + ['cache' => $here, 'options' => ['parameters' => ['default' => ['password' => 'own'], 'cache' => ['password' => 'x']]]],
            ],
            'password of another connection, Predis' => [
                $here, 'redis://127.0.0.1:6379/0', [],
                $predis + ['cache' => $here, 'options' => ['parameters' => ['cache' => ['password' => 'x']]]],
            ],
            'timeouts' => [$here + ['timeout' => 0.5, 'read_timeout' => '2'], 'redis://127.0.0.1:6379/0', ['connect_timeout' => 0.5, 'read_timeout' => 2.0]],
            'timeouts without limit' => [$here + ['timeout' => 0, 'read_timeout' => -1], 'redis://127.0.0.1:6379/0'],
            'timeouts, Predis' => [$here + ['timeout' => 0.5, 'read_write_timeout' => 2], 'redis://127.0.0.1:6379/0', ['connect_timeout' => 0.5, 'read_timeout' => 2.0], $predis],
            'timeouts of all connections' => [$here + ['timeout' => 9], 'redis://127.0.0.1:6379/0', ['connect_timeout' => 0.5], ['options' => ['timeout' => 0.5]]],
            'context' => [
                $here + ['scheme' => 'tls', 'context' => ['stream' => ['cafile' => '/ca', 'verify_peer_name' => 0, 'allow_self_signed' => false]]],
                'rediss://127.0.0.1:6379/0', ['tls' => ['cafile' => '/ca', 'verify_peer_name' => false]],
            ],
            'a context alone encrypts' => [$here + ['context' => ['stream' => ['verify_peer' => false]]], 'rediss://127.0.0.1:6379/0', ['tls' => ['verify_peer' => false]]],
            'a context of what is not encrypted' => [$here + ['scheme' => 'tcp', 'context' => ['stream' => ['ciphers' => 'x']]], 'redis://127.0.0.1:6379/0'],
            'ssl, Predis' => [
                $here + ['scheme' => 'tls', 'ssl' => ['cafile' => '/ca', 'peer_name' => 'redis', 'verify_peer' => true]],
                'rediss://127.0.0.1:6379/0', ['tls' => ['cafile' => '/ca', 'peer_name' => 'redis', 'verify_peer' => true]], $predis,
            ],
        ];
    }

    /** @param array<string, mixed> $connection @param array<string, mixed> $redis */
    #[DataProvider('prefixes')]
    public function test_the_prefix_is_the_clients(string $prefix, array $connection, array $redis): void
    {
        $server = ConnectionMap::server($redis + ['default' => $connection + ['host' => 'redis', 'port' => 6379]], 'default');

        self::assertSame($prefix, $server->prefix);
    }

    public static function prefixes(): array
    {
        $all = ['options' => ['prefix' => 'all:']];

        return [
            'none' => ['', [], []],
            'all' => ['all:', [], $all],
            'its own' => ['own:', ['prefix' => 'own:'], $all],
            'its own option' => ['own:', ['options' => ['prefix' => 'own:']], $all],
            'its own, empty' => ['', ['prefix' => ''], $all],
            'its own option, none' => ['', ['options' => ['prefix' => null]], $all],
            'its own, none' => ['all:', ['prefix' => null], $all],
            'Predis, its own option, none' => ['', ['options' => ['prefix' => null]], $all + ['client' => 'predis']],
            'Predis, its own, none' => ['all:', ['prefix' => null], $all + ['client' => 'predis']],
            'Predis, all' => ['all:', [], $all + ['client' => 'predis']],
            'Predis, its own' => ['own:', ['prefix' => 'own:'], $all + ['client' => 'predis']],
            'Predis, its own option' => ['own:', ['options' => ['prefix' => 'own:']], $all + ['client' => 'predis']],
        ];
    }

    public function test_what_packs(): void
    {
        $packs = fn (array $connection, string $client = 'phpredis') => ConnectionMap::server(
            ['client' => $client, 'default' => $connection + ['host' => 'redis', 'port' => 6379]], 'default',
        )->packs;

        self::assertFalse($packs([]));
        self::assertFalse($packs(['serializer' => 0, 'compression' => 0]));
        self::assertTrue($packs(['serializer' => 1]));
        self::assertTrue($packs(['compression' => '1']));
        self::assertTrue($packs(['options' => ['serializer' => 2]]));
        self::assertFalse($packs(['serializer' => 1], 'predis'), 'Predis does not read it');
    }

    /** @param array<string, mixed> $redis */
    #[DataProvider('refused')]
    public function test_it_is_refused_by_its_name(string $key, array $redis): void
    {
        $redis['default'] = ($redis['default'] ?? []) + ['host' => '127.0.0.1', 'port' => 6379, 'password' => 'secret'];

        try {
            ConnectionMap::server($redis, 'default');
            self::fail('it was mapped');
        } catch (UnsupportedConnection $e) {
            self::assertStringStartsWith("redislock cannot use database.redis.$key: ", $e->getMessage());
            self::assertStringNotContainsString('secret', (string) $e);
        }
    }

    public static function refused(): array
    {
        $predis = ['client' => 'predis'];

        return [
            'another client' => ['client', ['client' => 'relay']],
            'replication' => ['options.replication', $predis + ['options' => ['replication' => 'sentinel', 'service' => 'mymaster']]],
            'sentinel' => ['default.sentinel', ['default' => ['sentinel' => 'mymaster']]],
            'sentinels' => ['default.sentinels', ['default' => ['sentinels' => []]]],
            'connections of Predis' => ['options.connections', $predis + ['options' => ['connections' => ['tcp' => 'Mine']]]],
            'url' => ['default.url', ['default' => ['url' => 'unix:///run/redis.sock']]],
            'malformed url' => ['default.url', ['default' => ['url' => 'redis:///1']]],
            'scheme' => ['default.scheme', ['default' => ['scheme' => 'tlsv1.2']]],
            'two schemes' => ['default.host', ['default' => ['scheme' => 'tls', 'host' => 'tcp://redis']]],
            'empty host' => ['default.host', ['default' => ['host' => '']]],
            'odd host' => ['default.host', ['default' => ['host' => 'redis/1']]],
            'host with a login' => ['default.host', ['default' => ['host' => 'me:secret2@redis']]],
            'socket for Predis' => ['default.host', $predis + ['default' => ['host' => '/run/redis.sock']]],
            'no socket for Predis' => ['default.path', $predis + ['default' => ['scheme' => 'unix']]],
            'encrypted socket' => ['default.host', ['default' => ['scheme' => 'tls', 'host' => '/run/redis.sock', 'port' => 0]]],
            'socket with a port' => ['default.port', ['default' => ['host' => '/run/redis.sock', 'port' => 6379]]],
            'port' => ['default.port', ['default' => ['port' => 65536]]],
            'port as a word' => ['default.port', ['default' => ['port' => 'redis']]],
            'database' => ['default.database', ['default' => ['database' => 'zero']]],
            'negative database' => ['default.database', ['default' => ['database' => -1]]],
            'password of three' => ['default.password', ['default' => ['password' => ['a', 'b', 'c']]]],
            'timeout' => ['default.timeout', ['default' => ['timeout' => 'soon']]],
            'timeout of all' => ['options.timeout', ['options' => ['timeout' => 'soon']]],
            'context option' => ['default.context.stream.ciphers', ['default' => ['scheme' => 'tls', 'context' => ['stream' => ['ciphers' => 'x']]]]],
            'self-signed' => ['default.context.stream.allow_self_signed', ['default' => ['scheme' => 'tls', 'context' => ['stream' => ['allow_self_signed' => true]]]]],
            'ssl option' => ['default.ssl.passphrase', $predis + ['default' => ['scheme' => 'tls', 'ssl' => ['passphrase' => 'x']]]],
            'prefix that is none' => ['options.prefix', $predis + ['options' => ['prefix' => fn () => 'x']]],
        ];
    }

    /** @param list<string> $unknown @param array<string, mixed> $redis */
    #[DataProvider('unknown')]
    public function test_what_is_not_known_is_ignored_and_told(array $unknown, array $redis): void
    {
        $redis['default'] = ($redis['default'] ?? []) + ['host' => '127.0.0.1', 'port' => 6379];

        $server = ConnectionMap::server($redis, 'default');

        self::assertSame($unknown, $server->unknown);
        self::assertMatchesRegularExpression('~^rediss?://127.0.0.1:6379/0$~', (string) $server);
        self::assertSame([], array_diff_key($server->arguments([])[1], ['tls' => 1]));
    }

    public static function unknown(): array
    {
        $predis = ['client' => 'predis'];
        $tls = fn (array $context) => ['scheme' => 'tls', 'ssl' => $context, 'context' => ['stream' => $context]];

        return [
            'a setting' => [['default.tuning'], ['default' => ['tuning' => true]]],
            'a setting of all connections' => [['options.tuning'], ['options' => ['tuning' => true]]],
            'a setting among the options' => [['default.options.tuning'], ['default' => ['options' => ['tuning' => true]]]],
            'a setting, Predis' => [['default.tuning'], $predis + ['default' => ['tuning' => 3]]],
            'a setting that is null' => [[], ['default' => ['tuning' => null]]],
            'several' => [['default.tuning', 'default.idle'], ['default' => ['tuning' => 1, 'idle' => 2]]],
            'an option of TLS' => [['default.context.stream.capture_peer_cert'], ['default' => $tls(['capture_peer_cert' => true])]],
            'an option of TLS, Predis' => [['default.ssl.capture_peer_cert'], $predis + ['default' => $tls(['capture_peer_cert' => true])]],
            'a context' => [['default.context.http'], ['default' => ['context' => ['stream' => [], 'http' => []]]]],
        ];
    }

    public function test_an_unknown_connection_is_refused(): void
    {
        $this->expectExceptionObject(new UnsupportedConnection('locks', 'there is no such connection'));

        ConnectionMap::server(['default' => ['host' => 'redis']], 'locks');
    }

    public function test_a_server_shows_no_secret(): void
    {
        $server = ConnectionMap::server(['default' => ['host' => 'redis', 'port' => 6379, 'password' => 'secret']], 'default');

        self::assertStringNotContainsString('secret', print_r($server, true).$server);
        self::assertSame('redis://redis:6379/0', (string) $server);
    }
}
