--TEST--
With Sentinel: the documented rights at the master and at the sentinels are enough, and what is lost without each
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
require __DIR__ . '/../inc/sentinel.inc';
require_once __DIR__ . '/../readme/blocks.inc';

preg_match('/^ACL SETUSER finder on >secret (.*)$/m', readme('docs/operations.md'), $found);
$finder = explode(' ', $found[1]);

/** Makes users with these rights at the master and at the sentinels, locks, and tells what was refused, by whom. */
function try_with(SentinelSet $set, string $label, array $atMaster, array $atSentinels): void
{
    static $i = 0;
    $i++;
    $master = $set->master()->client();
    $sentinels = array_map(fn ($sentinel) => $sentinel->client(), $set->sentinels);
    make_user($master, "shop$i", $atMaster);
    foreach ($sentinels as $sentinel) {
        make_user($sentinel, "finder$i", $atSentinels);
    }
    $dsn = str_replace('://', "://shop$i:secret@", $set->dsn());
    $options = ['sentinel_username' => "finder$i", 'sentinel_password' => 'secret', 'persistent' => false, 'auto_release' => false];
    try {
        $lock = new RedisLock($dsn, $options);
        $other = new RedisLock($dsn, $options);
        $result = json_encode([$lock->lock("x$i", renew: true), $other->lock("x$i", 0.2), $lock->unlock("x$i"), $other->lock("x$i")]);
    } catch (RedisLockException $e) {
        $result = preg_replace(['/^\S+ /', '/127\.0\.0\.1:\d+/', '/NOPERM .*/'], ['', 'HOST:PORT', 'NOPERM'], $e->getMessage());
    }
    // Not each is asked each time: a majority decides.
    $denied = array_unique(array_merge(...array_map(fn ($sentinel) => array_keys(denied($sentinel, "finder$i")), $sentinels)));
    sort($denied);
    echo "$label: $result; denied at the master: ", implode(' ', array_keys(denied($master, "shop$i"))), '; at the sentinels: ', implode(' ', $denied), "\n";
}

$set = SentinelSet::start();
try_with($set, 'all', minimal_rights(), $finder);
try_with($set, 'without +role', array_diff(minimal_rights(), ['+role']), $finder);
foreach (preg_grep('/^\+/', $finder) as $right) {
    try_with($set, "without $right", minimal_rights(), array_diff($finder, [$right]));
}
try_with($set, 'without both', minimal_rights(), array_diff($finder, ['+sentinel|master', '+sentinel|get-master-addr-by-name']));

// Where names are announced, those of all replicas are resolved beforehand, for the thread that renews.
$set = SentinelSet::start(hostnames: true);
try_with($set, 'names, all', minimal_rights(), $finder);
try_with($set, 'names, without +sentinel|replicas', minimal_rights(), array_diff($finder, ['+sentinel|replicas']));

// One server is not asked for its role: yesterday's rights are enough.
$server = RedisServer::start();
make_user($server->client(), 'shop', $yesterday = array_diff(minimal_rights(), ['+role', '+wait']));
$refused = do_everything($server, 'shop');
echo 'yesterday, at one server: ', json_encode($refused), ', denied ', json_encode(array_keys(denied($server->client(), 'shop'))), "\n";
?>
--EXPECT--
all: [true,false,true,true]; denied at the master: ; at the sentinels: 
without +role: [true,false,true,true]; denied at the master: role; at the sentinels: 
without +sentinel|master: [true,false,true,true]; denied at the master: ; at the sentinels: sentinel|master
without +sentinel|get-master-addr-by-name: [true,false,true,true]; denied at the master: ; at the sentinels: sentinel|get-master-addr-by-name
without +sentinel|replicas: [true,false,true,true]; denied at the master: ; at the sentinels: 
without +client|setname: [true,false,true,true]; denied at the master: ; at the sentinels: client|setname
without both: no sentinel could be asked; HOST:PORT: NOPERM; denied at the master: ; at the sentinels: sentinel|get-master-addr-by-name sentinel|master
names, all: [true,false,true,true]; denied at the master: ; at the sentinels: 
names, without +sentinel|replicas: [true,false,true,true]; denied at the master: ; at the sentinels: sentinel|replicas
yesterday, at one server: {"replicas":"NOPERM"}, denied ["wait"]
