--TEST--
redislock ping and doctor: why locks are not passed on inside this machine, where that is switched on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../cli/doctor.inc';
require_once __DIR__ . '/../inc/cluster.inc';
require_once __DIR__ . '/../inc/sentinel.inc';

/** What both say of it, with the setting and a folder for the segment. */
function tell(string $label, array $servers, string $setting, string $folder): void
{
    echo "$label\n";
    $of = '--server=' . implode(' ', $servers);
    $options = ['-d', "redislock.local=$setting", '-d', "redislock.shared_memory=$folder", '-d', 'redislock.metrics=0'];
    $said = cli([$of, 'doctor', '--json'], [], $options)->json();
    foreach (about($said, 'local turns') as $remark) {
        echo "  doctor, $remark[level]: ", str_replace($folder, '', $remark['what']), "; $remark[advice]\n";
    }
    echo '  among what is sound: ', preg_match('/^ok: .*\blocal turns\b/m', cli([$of, 'doctor'], [], $options)->out) ? 'yes' : 'no', "\n";
    preg_match_all('/^note: (.*redislock\.local .*)$/m', cli([$of, 'ping'], [], $options)->out, $notes);
    foreach (array_unique($notes[1]) as $note) {
        echo '  ping: ', str_replace($folder, '', $note), "\n";
    }
}

$folder = new PrivateFolder();
$server = RedisServer::start(HEALTHY);
$other = RedisServer::start(HEALTHY);
tell('off', [$server->dsn()], '0', $folder->path);
tell('on', [$server->dsn()], '1', $folder->path);
tell('on, without a segment', [$server->dsn()], 'On', "$folder->path/missing");
tell('on, with several servers', [$server->dsn(), $other->dsn()], '1', $folder->path);
$cluster = Cluster::start(masters: 3, replicas: 0);
tell('on, with a cluster', [$cluster->dsn()], '1', $folder->path);
$sentinels = SentinelSet::start(replicas: 1);
tell('on, with sentinels', [$sentinels->dsn()], '1', $folder->path);
?>
--EXPECTF--
off
  among what is sound: no
on
  among what is sound: yes
on, without a segment
  doctor, note: redislock.local is on, but locks are not passed on inside this machine: /redislock.local.v2.%d: it cannot be opened: No such file or directory; see docs/local.md
  among what is sound: no
  ping: redislock.local is on, but locks are not passed on inside this machine: /redislock.local.v2.%d: it cannot be opened: No such file or directory; see docs/local.md
on, with several servers
  doctor, note: redislock.local is on, but locks are not passed on inside this machine: locks on several servers never are; see docs/local.md
  among what is sound: no
on, with a cluster
  doctor, note: redislock.local is on, but locks are not passed on inside this machine: locks on a cluster never are; see docs/local.md
  among what is sound: no
  ping: each master: redislock.local is on, but locks are not passed on inside this machine: locks on a cluster never are; see docs/local.md
on, with sentinels
  doctor, note: redislock.local is on, but locks are not passed on inside this machine: locks on a master that sentinels name never are; see docs/local.md
  among what is sound: no
  ping: redislock.local is on, but locks are not passed on inside this machine: locks on a master that sentinels name never are; see docs/local.md
