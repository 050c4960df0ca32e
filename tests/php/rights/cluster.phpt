--TEST--
On a cluster: the documented rights are enough, and what is lost without each; without them, one server is locked on as before
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/everything.inc';
require __DIR__ . '/queue_everything.inc';
require __DIR__ . '/../inc/cluster.inc';

const FOR_CLUSTERS = ['+asking', '+cluster|slots'];

/** What it returns, or the message. */
function result(callable $act): string
{
    try {
        return json_encode($act());
    } catch (RedisLockException $e) {
        return preg_replace(['/^\S+ /', '/127\.0\.0\.1:\d+/', '/(NOPERM).*?( \(\w+ ".*)?$/'], ['', 'HOST:PORT', '$1$2'], $e->getMessage());
    }
}

/** Tells what a user with these rights can do with locks and queues on all nodes, and with a lock whose slot is open. */
function try_with(Cluster $cluster, string $label, array $without): void
{
    static $i = 0;
    $i++;
    foreach ($cluster->nodes as $node) {
        make_user($node->client(), "shop$i", array_diff(minimal_rights(), $without));
        make_user($node->client(), "worker$i", array_diff(minimal_rights(of_queue: true), $without));
    }
    $dsn = $cluster->dsn(seeds: [$cluster->nodes[0]], credentials: "shop$i:secret");
    $options = ['persistent' => false, 'auto_release' => false];
    $lock = new RedisLock($dsn, $options);
    $other = new RedisLock($dsn, $options);
    $queue = new RedisQueue($cluster->dsn(seeds: [$cluster->nodes[0]], credentials: "worker$i:secret"), ['persistent' => false]);
    echo "$label\n";
    foreach ($cluster->masters() as $n => $master) {
        $name = $cluster->nameOn($master, "x$i-");
        echo "  node $n: ", result(fn () => [$lock->lock($name, renew: true), $other->lock($name, 0.2), $lock->unlock($name), $other->lock($name)]), "\n";
        $name = $cluster->nameOn($master, "q$i-", keyPrefix: 'queue:');
        echo "  queue: ", result(fn () => [$queue->enqueue($name, 'task'), ((array) $queue->pop($name, 1))['id']]), "\n";
    }
    [$from, $to] = $cluster->masters();
    $name = $cluster->nameOn($from, "open$i-");
    $cluster->beginMigration("lock:$name", $to);
    $held_up = held_up();
    $said = result(fn () => $lock->lock($name));
    // A busy machine may end the last try between the answers of the two nodes: then it tells the first one's.
    echo '  an open slot: ', held_up() - $held_up >= 0.05 ? str_replace(': ASK ', ': MOVED ', $said) : $said, "\n";
    $cluster->migrateKeys("lock:$name", $from, $to);
    $cluster->endMigration("lock:$name", $from, $to);
    echo '  closed: ', result(fn () => $lock->isLocking($name)), "\n";
    $denied = array_map(fn ($node) => [...array_keys(denied($node->client(), "shop$i")), ...array_keys(denied($node->client(), "worker$i"))], $cluster->nodes);
    echo '  denied: ', implode(' ', array_unique(array_merge(...$denied))), "\n";
}

$cluster = Cluster::start(replicas: 0);
try_with($cluster, 'all', []);
foreach (FOR_CLUSTERS as $right) {
    try_with($cluster, "without $right", [$right]);
}

// One server is asked neither: yesterday's rights are enough.
$server = RedisServer::start();
make_user($server->client(), 'shop', array_diff(minimal_rights(), FOR_CLUSTERS));
make_user($server->client(), 'worker', array_diff(minimal_rights(of_queue: true), FOR_CLUSTERS));
$refused = [...do_everything($server, 'shop'), ...do_everything_with_queues($server, 'worker')];
echo 'yesterday, at one server: ', json_encode($refused), ', denied ', json_encode([denied($server->client(), 'shop'), denied($server->client(), 'worker')]), "\n";
?>
--EXPECT--
all
  node 0: [true,false,true,true]
  queue: [true,"task"]
  node 1: [true,false,true,true]
  queue: [true,"task"]
  node 2: [true,false,true,true]
  queue: [true,"task"]
  an open slot: true
  closed: true
  denied: 
without +asking
  node 0: [true,false,true,true]
  queue: [true,"task"]
  node 1: [true,false,true,true]
  queue: [true,"task"]
  node 2: [true,false,true,true]
  queue: [true,"task"]
  an open slot: HOST:PORT: MOVED 422 HOST:PORT (lock "open2-0")
  closed: false
  denied: asking
without +cluster|slots
  node 0: [true,false,true,true]
  queue: [true,"task"]
  node 1: [true,false,true,true]
  queue: [true,"task"]
  node 2: [true,false,true,true]
  queue: [true,"task"]
  an open slot: true
  closed: true
  denied: cluster|slots
yesterday, at one server: [], denied [[],[]]
