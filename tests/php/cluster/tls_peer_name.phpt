--TEST--
The option tls has one peer_name for all nodes of a cluster, whatever they announce
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('openssl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

/** Are the names of all nodes locked? Or why not. */
function try_all(Cluster $cluster, array $tls): string
{
    try {
        $lock = new RedisLock($cluster->dsn(seeds: [$cluster->nodes[0]]), ['tls' => $tls + $cluster->options['tls'], 'renew' => true]);
        $names = array_map(fn ($node) => $cluster->nameOn($node), $cluster->masters());
        return json_encode([$lock->lockAll($names, 1.0, 1.5), usleep(2_000_000) ?? $lock->held() !== [], $lock->unlockAll()]);
    } catch (RedisLockException $e) {
        return preg_replace('~^\S+ ~', '', preg_replace('/:\d+/', ':PORT', $e->getMessage()));
    }
}

$cluster = Cluster::start(masters: 3, replicas: 0, tls: true, certified: 'DNS:redis.shop.example');
echo 'its name: ', try_all($cluster, ['peer_name' => 'redis.shop.example']), "\n";
echo 'another: ', try_all($cluster, ['peer_name' => 'redis.other.example']), "\n";
echo 'none: ', try_all($cluster, []), "\n";
?>
--EXPECTF--
its name: [true,true,true]
another: 127.0.0.1:PORT: TLS: the certificate is not for redis.other.example (lock "x%d")
none: 127.0.0.1:PORT: TLS: the certificate is not for 127.0.0.1 (lock "x%d")
