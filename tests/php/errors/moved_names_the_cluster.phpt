--TEST--
What a node of a cluster says that is written redis://: the message says how to write a cluster
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

/** A node that owns nothing yet. */
function node(): RedisServer
{
    return RedisServer::start(['cluster-enabled yes', 'cluster-require-full-coverage no'], tcp: true);
}

$one = node();
$other = node();
$here = $one->client();
$moved = $here->cmd('CLUSTER', 'KEYSLOT', 'lock:moved');
$here->cmd('CLUSTER', 'ADDSLOTS', ...array_values(array_diff(range(0, 16383), [$moved])));
$other->client()->cmd('CLUSTER', 'ADDSLOTS', $moved);
$here->cmd('CLUSTER', 'MEET', '127.0.0.1', $other->port());
$isUp = fn ($node) => str_contains($node->cmd('CLUSTER', 'INFO'), 'cluster_state:ok');
wait_until(fn () => str_contains($here->cmd('CLUSTER', 'NODES'), " $moved\n") && $isUp($here) && $isUp($other->client()));

$lock = new RedisLock($one->tcpDsn());
$ports = [$one->port() => 'ONE', $other->port() => 'OTHER'];
$tell = function (callable $act) use ($ports): void {
    try {
        $act();
        echo "NOTHING THROWN\n";
    } catch (RedisLockServerException $e) {
        echo strtr($e->getMessage(), $ports), "\n  $e->redisError\n";
    }
};
$tell(fn () => $lock->lock('moved'));
$tell(fn () => $lock->owner('moved'));
$tell(fn () => (new RedisLock([$one->tcpDsn(), $other->tcpDsn()]))->lock('moved')); // as if they knew nothing of each other
var_dump($lock->lock('here'));

// While its slot moves, this node refers to the other one for what it has no longer.
$there = $other->client()->cmd('CLUSTER', 'MYID');
$here->cmd('CLUSTER', 'SETSLOT', $here->cmd('CLUSTER', 'KEYSLOT', 'lock:asked'), 'MIGRATING', $there);
$tell(fn () => $lock->owner('asked'));

// Names in different slots: of this node, and of the other one; a lock that was there when its slot began to move; a slot that no
// node has.
var_dump($lock->lockAll(['a', 'b']) && $lock->unlockAll());
$tell(fn () => $lock->lockAll(['a', 'moved']));
var_dump($lock->owner('a'));
$here->cmd('CLUSTER', 'SETSLOT', $here->cmd('CLUSTER', 'KEYSLOT', 'lock:asked'), 'STABLE');
$here->cmd('SET', 'lock:asked', 'somebody');
$here->cmd('CLUSTER', 'SETSLOT', $here->cmd('CLUSTER', 'KEYSLOT', 'lock:asked'), 'MIGRATING', $there);
$tell(fn () => $lock->owner('asked'));
$here->cmd('CLUSTER', 'DELSLOTS', $here->cmd('CLUSTER', 'KEYSLOT', 'lock:lost'));
$tell(fn () => $lock->owner('lost'));
?>
--EXPECT--
redis://127.0.0.1:ONE/0: the server is a node of a cluster, and another node has this key: write the servers as redis-cluster://HOST:6379 (MOVED 8097 127.0.0.1:OTHER) (lock "moved")
  MOVED
redis://127.0.0.1:ONE/0: the server is a node of a cluster, and another node has this key: write the servers as redis-cluster://HOST:6379 (MOVED 8097 127.0.0.1:OTHER) (lock "moved")
  MOVED
redis://127.0.0.1:ONE/0, redis://127.0.0.1:OTHER/0: too few of 2 servers answered; redis://127.0.0.1:ONE/0: the server is a node of a cluster, and another node has this key: write the servers as redis-cluster://HOST:6379 (MOVED 8097 127.0.0.1:OTHER) (lock "moved")
  MOVED
bool(true)
redis://127.0.0.1:ONE/0: the server is a node of a cluster, and another node has this key: write the servers as redis-cluster://HOST:6379 (ASK 301 127.0.0.1:OTHER) (lock "asked")
  ASK
bool(true)
redis://127.0.0.1:ONE/0: the server is a node of a cluster, and another node has this key: write the servers as redis-cluster://HOST:6379 (MOVED 8097 127.0.0.1:OTHER) (lock "moved")
  MOVED
NULL
redis://127.0.0.1:ONE/0: the server is a node of a cluster, and this key is on its way to another node: write the servers as redis-cluster://HOST:6379 (TRYAGAIN Multiple keys request during rehashing of slot) (lock "asked")
  TRYAGAIN
redis://127.0.0.1:ONE/0: the server is a node of a cluster that is down: write the servers as redis-cluster://HOST:6379 (CLUSTERDOWN Hash slot not served) (lock "lost")
  CLUSTERDOWN
