--TEST--
What lock() sent to a stopped server before it gave up locks for nobody when the server goes on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/faults.inc';

$server = RedisServer::start(tcp: true);
$redis = $server->client();
$options = ['persistent' => false, 'connect_timeout' => 0.1, 'read_timeout' => 0.1, 'auto_release' => false];
$calls = [
    'lock()' => fn ($lock) => $lock->lock('x'),
    'lock(timeout: 0.2)' => fn ($lock) => $lock->lock('x', 0.2),
    'lock(timeout: 2.0)' => fn ($lock) => $lock->lock('x', 2.0),
    'lock() without end' => fn ($lock) => $lock->lock('x', 0.0, INF),
    'synchronized()' => fn ($lock) => $lock->synchronized('x', fn () => 'in the section'),
    'lock() with a fence' => fn ($lock) => $lock->lock('x'),
];
foreach ([$server->dsn(), $server->tcpDsn()] as $i => $dsn) {
    foreach ([true, false] as $connected) {
        foreach ([true, false] as $known) {
            foreach ($calls as $call => $act) {
                $redis->cmd('FLUSHALL');
                $redis->cmd('SCRIPT', 'FLUSH');
                $lock = new RedisLock($dsn, $options + ['fencing' => str_contains($call, 'fence')]);
                $connected && $lock->owner('x');
                $known && $lock->lock('y') && $lock->unlock('y');
                $server->pause();
                $outcome = outcome(fn () => $act($lock));
                $server->resume();
                $held_up = held_up();
                $redis->cmd('PING');
                // All of it was there when it went on: it has run before what we ask now, or right behind it.
                $is_gone = fn () => $redis->cmd('EXISTS', 'lock:x') === 0 && our_keys($redis) === [];
                $gone = wait_until($is_gone, 0.3) || wait_until($is_gone, held_up() - $held_up);
                $free = foreign_lock($redis, 'lock:x', 'token');
                usleep(20000);
                $kept = $redis->cmd('GET', 'lock:x') === 'token';
                $with = json_encode([$i ? 'tcp' : 'unix', $connected ? 'connected' : 'not connected', $known ? 'known' : 'unknown']);
                if ($outcome !== 'RedisLockConnectionException' || !$gone || !$free || !$kept) {
                    echo "$call, $with: $outcome, ", json_encode([$gone, $free, $kept, all_keys($redis)]), "\n";
                }
            }
        }
    }
}
echo "done\n";
?>
--EXPECT--
done
