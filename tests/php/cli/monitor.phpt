--TEST--
redislock ping: the user that the docs have for it sees everything, and can neither read nor take another lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

/** Needed only behind an answer that was lost, or for a name that the connection would have. */
const SELDOM = ['+pexpire', '+client|setname'];

preg_match('/^ACL SETUSER monitor on >secret (.*)$/m', file_get_contents(__DIR__ . '/../../../docs/operations.md'), $found);
$rights = explode(' ', $found[1]);
$server = RedisServer::start(["user monitor on >secret $found[1]", 'maxmemory 100mb', 'appendonly yes']);
$redis = $server->client();
$dsn = $server->address('monitor:secret');

/** Runs it as this user: its exit status, and what it says. */
function ping(): array
{
    global $dsn;
    $run = cli(['--server=env:MONITOR', 'ping', '--strict', '--json'], ['MONITOR' => $dsn]);
    return [$run->status, $run->out === '' ? ['error' => $run->err] : $run->json()];
}

[$status, $all] = ping();
echo "all is well => $status\n";
is_so('nothing is unknown', !in_array(null, $all, true), json_encode($all));
$redis->cmd('SET', 'cache:1', 'x');
echo ping()[1]['notes'][0], "\n";
$redis->cmd('DEL', 'cache:1');
$redis->cmd('CONFIG', 'SET', 'appendonly', 'no');
[$status, $facts] = ping();
echo "nothing on disk => $status: ", implode('; ', $facts['warnings']), "\n";
$redis->cmd('ACL', 'SETUSER', 'monitor', '-config|get');
[$status, $facts] = ping();
echo "no append-only file, without CONFIG => $status: ", implode('; ', $facts['notes']), "\n";
$redis->cmd('ACL', 'SETUSER', 'monitor', '+config|get');
$redis->cmd('CONFIG', 'SET', 'appendonly', 'yes');

// Each right is needed.
foreach (array_diff(preg_grep('/^\+/', $rights), SELDOM) as $right) {
    $redis->cmd('ACL', 'SETUSER', 'monitor', '-' . substr($right, 1));
    $redis->cmd('SCRIPT', 'FLUSH');
    [$status, $facts] = ping();
    $reason = match (true) {
        isset($facts['error']) => preg_match('/NOPERM/', $facts['error'], $found) ? $found[0] : $facts['error'],
        $facts['notes'] !== [] => $facts['notes'][0],
        $facts['lock_and_unlock'] === null => 'it cannot be locked on',
        default => implode(' ', array_keys($facts, null, true)) . ' unknown',
    };
    echo "without $right => $status: $reason\n";
    $redis->cmd('ACL', 'SETUSER', 'monitor', $right);
}

// Other locks are out of its reach.
(new RedisLock($server->dsn(), ['auto_release' => false]))->lock('SKU0001');
foreach (['lock', 'forceUnlock', 'owner'] as $method) {
    try {
        (new RedisLock($dsn))->$method('SKU0001');
        echo "$method: NOT REFUSED\n";
    } catch (RedisLockServerException $e) {
        echo "$method: ", preg_match('/permission|NOPERM/', $e->getMessage()) ? 'no permission' : $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
all is well => 0
nothing is unknown: yes
other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
nothing on disk => 1: it keeps nothing on disk: a restart ends all locks; use appendonly yes
no append-only file, without CONFIG => 1: there is no AOF, and CONFIG GET is refused: whether a restart ends all locks is not known; allow CONFIG GET, or see the console of the service
without +ping => 1: PING is refused: the round trip is that of the refusal; allow PING
without +info => 1: INFO is refused: whether it may delete locks (maxmemory-policy), and what it keeps on disk, is not known; allow INFO
without +config|get => 0: save unknown
without +dbsize => 0: keys unknown
without +scan => 1: SCAN is refused: whether other keys are in this database, which somebody may empty, is not known; allow SCAN
without +eval => 3: it cannot be locked on
without +evalsha => 3: it cannot be locked on
without +get => 3: it cannot be locked on
without +set => 3: it cannot be locked on
without +del => 3: it cannot be locked on
without +zcard => 3: it cannot be locked on
lock: no permission
forceUnlock: no permission
owner: no permission
