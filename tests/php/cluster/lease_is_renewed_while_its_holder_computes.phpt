--TEST--
Leases at nodes that are announced by host names are renewed through failovers while their holder computes and makes no call
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/process.inc';

const LEASE = 20.0;

/** Names and their tokens, which a process holds that computes from then on, until it is told otherwise. */
function start_holder(Cluster $cluster, array $names): array
{
    $worker = Worker::start(
        '[, $server, $lease, $stop, $names] = $argv;
        $lock = new RedisLock($server, ["expire" => (float) $lease, "renew" => true]);
        foreach (explode(" ", $names) as $name) {
            $lock->lock($name) || exit("$name is not free\n");
            $tokens[$name] = $lock->token($name);
        }
        echo json_encode($tokens), "\n";
        for ($sum = 0, $i = 0; $i % 100000 || !file_exists($stop); $i++) {
            $sum += $i;
            if ($i % 100000 === 0) {
                clearstatcache();
                usleep(20000); // the nodes need a processor too
            }
        }
        foreach ($tokens as $name => $token) {
            echo $lock->lost($name) || !$lock->unlock($name) ? "$name is lost\n" : "";
        }
        echo "done\n";',
        [$cluster->dsn(seeds: [$cluster->nodes[0]]), LEASE, "{$cluster->nodes[0]->folder()}/stop", implode(' ', $names)],
    );
    return [$worker, json_decode($worker->readLine(20), true)];
}

/** @return array<string, float> when the leases end at the nodes that have their slots; none of one that its holder has lost */
function ends(Cluster $cluster, array $tokens): array
{
    $ends = [];
    foreach ($tokens as $name => $token) {
        $redis = $cluster->ownerOf("lock:$name")->client();
        if ($redis->cmd('GET', "lock:$name") === $token) {
            $ends[$name] = microtime(true) + $redis->cmd('PTTL', "lock:$name") / 1000;
        }
    }
    return $ends;
}

foreach ([
    'planned' => fn ($cluster, $old) => $cluster->failover($cluster->replicasOf($old)[0]),
    'killed' => function ($cluster, $old) {
        $old->kill();
        $cluster->awaitPromotion($old);
    },
] as $way => $fail_over) {
    $cluster = Cluster::start(
        config: ['cluster-announce-hostname localhost', 'cluster-preferred-endpoint-type hostname'],
        nodeTimeout: $way === 'killed' ? SOON_FAILED : 60000,
    );
    $masters = $cluster->masters();
    $names = array_merge(...array_map(fn ($master) => [$cluster->nameOn($master), $cluster->nameOn($master, nth: 1)], $masters));
    [$worker, $tokens] = start_holder($cluster, $names);
    array_map($cluster->awaitReplicated(...), $masters);
    $fail_over($cluster, $masters[1]);
    is_so("$way: another node has the slots", $cluster->ownerOf("lock:$names[2]") !== $masters[1]);
    $before = ends($cluster, $tokens);
    is_so("$way: none is lost", count($before) === count($names));
    $renewed = fn () => array_filter(ends($cluster, $tokens), fn ($end, $name) => $end > $before[$name] + 1, ARRAY_FILTER_USE_BOTH);
    is_so("$way: all are renewed since", wait_until(fn () => count($renewed()) === count($names), slow(LEASE)), [$before, ends($cluster, $tokens)]);
    touch("{$cluster->nodes[0]->folder()}/stop");
    echo "$way: ", $worker->output(20);
}
?>
--EXPECT--
planned: another node has the slots: yes
planned: none is lost: yes
planned: all are renewed since: yes
planned: done
killed: another node has the slots: yes
killed: none is lost: yes
killed: all are renewed since: yes
killed: done
