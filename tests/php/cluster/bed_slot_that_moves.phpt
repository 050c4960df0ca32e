--TEST--
The tests' own cluster: each key is at its owner, and a slot that moves answers ASK, TRYAGAIN and in the end MOVED
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

/** What a node answers, with "there" for the slot and the address that a redirection names. */
function said(RawClient $redis, string ...$command): string
{
    try {
        return json_encode($redis->cmd(...$command));
    } catch (RespError $e) {
        global $slot, $to, $cluster;
        return str_replace([" $slot 127.0.0.1:{$cluster->portOf($to)}", " during rehashing of slot"], [' there', ''], $e->getMessage());
    }
}

$cluster = Cluster::start(replicas: 0);
foreach ($cluster->masters() as $n => $master) {
    $key = 'lock:' . $cluster->nameOn($master);
    is_so("master $n: its slot", Cluster::slot($key) === $master->client()->cmd('CLUSTER', 'KEYSLOT', $key));
    echo "master $n: ", $master->client()->cmd('SET', $key, $n), ' ', $cluster->ownerOf($key)->client()->cmd('GET', $key), "\n";
}

$to = $cluster->others($from = $cluster->ownerOf('{x}'))[0];
[$source, $target] = [$from->client(), $to->client()];
$slot = Cluster::slot('{x}');
$source->cmd('MSET', '{x}1', 'one', '{x}2', 'two');

$cluster->beginMigration('{x}', $to);
$cluster->migrateKeys('{x}', $from, $to, keys: ['{x}1']);
echo "half way\n";
echo '  source: ', said($source, 'GET', '{x}2'), ', ', said($source, 'GET', '{x}1'), "\n";
// Redis 6.2 says so only at the target.
echo '  source, of both: ', preg_replace('/^ASK there$|^TRYAGAIN Multiple keys request$/', 'refused', said($source, 'MGET', '{x}1', '{x}2')), "\n";
$target->cmd('ASKING');
echo '  target, asking: ', said($target, 'GET', '{x}1'), ', without: ', explode(' ', said($target, 'GET', '{x}1'))[0], "\n";

var_dump($cluster->migrateKeys('{x}', $from, $to));
$cluster->endMigration('{x}', $from, $to);
$cluster->awaitAgreed();
echo "moved\n";
echo '  source: ', said($source, 'GET', '{x}1'), "\n";
echo '  target: ', said($target, 'MGET', '{x}1', '{x}2'), "\n";
is_so('  the owner', $cluster->ownerOf('{x}') === $to);

$cluster->migrate('{x}', $from);
echo 'moved back: ', said($source, 'MGET', '{x}1', '{x}2'), "\n";
$cluster->beginMigration('{x}', $to);
$cluster->migrateKeys('{x}', $from, $to, 1);
$cluster->cancelMigration('{x}', $from, $to);
echo 'given up: ', said($source, 'MGET', '{x}1', '{x}2'), "\n";
?>
--EXPECT--
master 0: its slot: yes
master 0: OK 0
master 1: its slot: yes
master 1: OK 1
master 2: its slot: yes
master 2: OK 2
half way
  source: "two", ASK there
  source, of both: refused
  target, asking: "one", without: MOVED
int(1)
moved
  source: MOVED there
  target: ["one","two"]
  the owner: yes
moved back: ["one","two"]
given up: ["one","two"]
