<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Redislock\Symfony\StoreFactory;
use Redislock\Symfony\SymfonyDsn;
use Symfony\Component\Lock\Exception\InvalidArgumentException;

/** What the DSNs of Symfony's RedisAdapter become, or why they are refused. */
final class SymfonyDsnTest extends TestCase
{
    /** @param array<mixed> $options */
    #[DataProvider('mapped')]
    public function testItIsMapped(string $dsn, string $server, array $options = []): void
    {
        [$address, $query] = explode('?', $dsn, 2) + [1 => ''];
        parse_str($query, $given);

        self::assertEquals([$server, $options], SymfonyDsn::translate($address, $given));
        self::assertNotNull(StoreFactory::createStore("redislock+$dsn"), 'RedisLock takes it');
    }

    /** @return iterable<string, array{0: string, 1: string, 2?: array<mixed>}> */
    public static function mapped(): iterable
    {
        $login = ['username' => 'user', 'password' => 'pa:ss'];
        $watch = ['sentinel_username' => 'watch', 'sentinel_password' => 'of'];

        yield 'Sentinel' => ['redis:?host[s1:26379]&host[s2:26380]&host[s3]&redis_sentinel=mymaster', 'redis-sentinel://s1:26379,s2:26380,s3:6379/mymaster/0'];
        yield 'Sentinel, newer' => ['redis:?host[s1:26379]&sentinel=mymaster', 'redis-sentinel://s1:26379/mymaster/0'];
        yield 'Sentinel, by its third name' => ['redis:?host[s1:26379]&sentinel_master=mymaster', 'redis-sentinel://s1:26379/mymaster/0'];
        yield 'Sentinel, the first before the ?' => ['redis://s0:26379?host[s1:26379]&redis_sentinel=mymaster', 'redis-sentinel://s0:26379,s1:26379/mymaster/0'];
        yield 'Sentinel, twice the same' => ['redis://s1?host[s1:6379]&redis_sentinel=mymaster', 'redis-sentinel://s1:6379/mymaster/0'];
        yield 'Sentinel, an odd name' => ['redis:?host[s1]&redis_sentinel=a%2Fb', 'redis-sentinel://s1:6379/a%2Fb/0'];
        yield 'Sentinel, database' => ['redis://s1:26379/3?redis_sentinel=mymaster', 'redis-sentinel://s1:26379/mymaster/3'];
        yield 'Sentinel, TLS' => ['rediss:?host[s1]&redis_sentinel=mymaster&ssl[cafile]=/ca', 'rediss-sentinel://s1:6379/mymaster/0', ['tls' => ['cafile' => '/ca']]];
        yield 'Sentinel, TLS of a Valkey' => ['valkeys:?host[s1]&redis_sentinel=mymaster', 'rediss-sentinel://s1:6379/mymaster/0'];
        yield 'Sentinel, login of the master' => ['redis://user:pa%3Ass@s1?redis_sentinel=mymaster', 'redis-sentinel://s1:6379/mymaster/0', $login];
        yield 'Sentinel, login of both' => [
            'redis:?host[s1]&redis_sentinel=mymaster&auth[]=watch&auth[]=of', 'redis-sentinel://s1:6379/mymaster/0',
            ['username' => 'watch', 'password' => 'of'] + $watch,
        ];
        yield 'Sentinel, a login for each' => [
            'redis://user:pa%3Ass@s1?redis_sentinel=mymaster&auth[]=watch&auth[]=of', 'redis-sentinel://s1:6379/mymaster/0', $login + $watch,
        ];
        yield 'Sentinel, our own login there' => [
            'redis://user:pa%3Ass@s1?redis_sentinel=mymaster&sentinel_password=other', 'redis-sentinel://s1:6379/mymaster/0',
            $login + ['sentinel_password' => 'other'],
        ];

        yield 'Cluster' => ['redis:?host[n1:7000]&host[n2]&redis_cluster=1', 'redis-cluster://n1:7000,n2:6379'];
        yield 'Cluster, newer' => ['redis:?host[n1]&cluster=true', 'redis-cluster://n1:6379'];
        yield 'Cluster, the first before the ?' => ['redis://n0:7000/0?host[n1:7000]&redis_cluster=yes', 'redis-cluster://n0:7000,n1:7000'];
        yield 'Cluster, IPv6' => ['redis:?host[::1:7000]&redis_cluster=1', 'redis-cluster://[::1]:7000'];
        yield 'Cluster, TLS' => [
            'rediss:?host[n1]&redis_cluster=1&ssl[verify_peer_name]=0&ssl[capture_peer_cert]=1&ssl[allow_self_signed]=0', 'rediss-cluster://n1:6379',
            ['tls' => ['verify_peer_name' => '0']],
        ];
        yield 'Cluster, login' => ['redis://user:pa%3Ass@n1?redis_cluster=1', 'redis-cluster://n1:6379', $login];
        yield 'Cluster, login as an option' => ['redis://x@n1?redis_cluster=1&auth[]=user&auth[]=pa%3Ass', 'redis-cluster://n1:6379', $login];
        yield 'Cluster, default user' => ['redis:?host[n1]&redis_cluster=1&auth[]=default&auth[]=x', 'redis-cluster://n1:6379', ['password' => 'x']];
        yield 'Cluster, empty login' => ['redis://@n1?redis_cluster=1&auth=', 'redis-cluster://n1:6379'];
        yield 'Cluster, what has no effect' => [
            'redis:?host[n1]=weight=2%26alias=a&redis_cluster=1&lazy=1&failover=distribute&persistent_id=x&tcp_keepalive=5&class=RedisCluster&cluster_command_timeout=1'
                . '&cluster_relay_context[use-cache]=1&read_timeout=0',
            'redis-cluster://n1:6379',
        ];
        yield 'Cluster, options of RedisLock' => [
            'redis:?host[n1]&redis_cluster=1&prefix=%7Bshop%7D:&replicas=1&read_timeout=2&persistent=1', 'redis-cluster://n1:6379',
            ['prefix' => '{shop}:', 'replicas' => '1', 'read_timeout' => '2', 'persistent' => '1'],
        ];
        yield 'Cluster, more than are needed' => [
            'redis:?redis_cluster=1' . implode(array_map(fn ($i) => "&host[n$i]", range(1, 20))),
            'redis-cluster://' . implode(',', array_map(fn ($i) => "n$i:6379", range(1, 16))),
        ];

        yield 'one server' => ['redis:?host[h:6380]&dbindex=3', 'redis://h:6380/3'];
        yield 'a password without a colon' => ['redis://secret@h/3', 'redis://h:6379/3', ['password' => 'secret']];
        yield 'no cluster' => ['redis://h?redis_cluster=0', 'redis://h:6379/0'];
        yield 'a socket' => ['redis:///run/a%20redis.sock', 'unix:///run/a%2520redis.sock', ['database' => 0]];
        yield 'a socket with a password and a database' => ['redis://secret@/run/redis.sock/13', 'unix:///run/redis.sock', ['password' => 'secret', 'database' => 13]];
        yield 'a socket as a host' => ['redis:?host[/run/redis.sock:]&dbindex=2', 'unix:///run/redis.sock', ['database' => 2]];

        yield 'not of this kind' => ['redis://user:secret@h:6380/3?persistent=1', 'redis://user:secret@h:6380/3', ['persistent' => '1']];
        yield 'not of this kind, a user' => ['redis://user@h?password=secret', 'redis://user@h', ['password' => 'secret']];
        yield 'not of this kind, Sentinel' => ['redis-sentinel://s1/mymaster?replicas=1', 'redis-sentinel://s1/mymaster', ['replicas' => '1']];
    }

    #[DataProvider('refused')]
    public function testItIsRefusedByItsName(string $dsn, string $message): void
    {
        try {
            StoreFactory::createStore("redislock+$dsn");
            self::fail('taken');
        } catch (InvalidArgumentException $e) {
            self::assertSame($message, $e->getMessage());
        }
    }

    /** @return iterable<string, array{string, string}> */
    public static function refused(): iterable
    {
        yield 'names that Symfony spreads' => [
            'redis:?host[a]&host[b]',
            '"host" of a redislock DSN names several servers, over which Symfony would spread the names; a lock needs "redis_cluster" or "redis_sentinel" then.',
        ];
        yield 'a class that does' => ['redis:?host[a]&class=%5CRedisArray', '"class" of a redislock DSN must not spread the names over servers.'];
        yield 'both' => ['redis:?host[a]&redis_cluster=1&redis_sentinel=m', '"redis_cluster" of a redislock DSN and "redis_sentinel" must not be there both.'];
        yield 'no host' => ['redis:?redis_cluster=1', '"host" of a redislock DSN must name a server.'];
        yield 'no list' => ['redis:?host=a&redis_cluster=1', '"host" of a redislock DSN must be written "host[name:port]".'];
        yield 'a host of its own kind' => [
            'redis:?host[a]=password=x&redis_cluster=1', '"host" of a redislock DSN must not have "password": all servers are reached in the same way.',
        ];
        yield 'no name' => ['redis:?host[a]&redis_sentinel=', '"redis_sentinel" of a redislock DSN must be the name of the master.'];
        yield 'a database of a cluster' => ['redis:?host[a]&redis_cluster=1&dbindex=1', '"dbindex" of a redislock DSN must be 0 in a cluster.'];
        yield 'two databases' => ['redis://a/1?dbindex=2', '"dbindex" of a redislock DSN must be one whole number, there or behind the address.'];
        yield 'no database' => ['redis://a?dbindex=x', '"dbindex" of a redislock DSN must be one whole number, there or behind the address.'];
        yield 'a socket of a cluster' => ['redis:///run/redis.sock?redis_cluster=1', '"host" of a redislock DSN must not be a socket here.'];
        yield 'an encrypted socket' => ['rediss:///run/redis.sock', '"host" of a redislock DSN must not be a socket here.'];
        yield 'a socket among others' => ['redis://a?host[/run/redis.sock:]', '"host" of a redislock DSN must not have a socket among several servers.'];
        yield 'a login of three' => [
            'redis:?host[a]&auth[]=a&auth[]=b&auth[]=c', '"auth" of a redislock DSN must be a password, or a user and a password: "auth[]=user&auth[]=password".',
        ];
        yield 'TLS of what has none' => ['redis:?host[a]&ssl[cafile]=/ca', '"ssl" of a redislock DSN needs rediss://.'];
        yield 'no options of TLS' => ['rediss:?host[a]&ssl=x', '"ssl" of a redislock DSN must be written "ssl[cafile]=…".'];
        yield 'an option of TLS' => [
            'rediss:?host[a]&ssl[ciphers]=x',
            '"ssl[ciphers]" of a redislock DSN is not supported; cafile, capath, local_cert, local_pk, peer_name, verify_peer, verify_peer_name are.',
        ];
        yield 'self-signed' => [
            'rediss:?host[a]&ssl[allow_self_signed]=1',
            '"ssl[allow_self_signed]" of a redislock DSN is not supported; cafile, capath, local_cert, local_pk, peer_name, verify_peer, verify_peer_name are.',
        ];
    }
}
