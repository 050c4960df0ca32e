--TEST--
redislock doctor: the user that the docs have for it can check everything, may do no harm, and is refused nothing
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

preg_match('/^ACL SETUSER doctor on >secret (.*)$/m', file_get_contents(__DIR__ . '/../../../docs/operations.md'), $found);
$server = RedisServer::start([...HEALTHY, "user doctor on >secret $found[1]", 'user shop on >secret ' . implode(' ', minimal_rights())]);
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['auto_release' => false]);
$lock->lock('SKU0001');
$redis->cmd('SET', '{lock:SKU0002}:rl:note', 'x', 'EX', '100');
$redis->cmd('ZADD', '{lock:SKU0001}:rl:wait', '9999999999999', 'waiter');
$redis->cmd('EXPIRE', '{lock:SKU0001}:rl:wait', '100');
$dsn = $server->address('doctor:secret');
$said = diagnose('all', $dsn, '--user=shop');
is_so('it has seen the lock', $said['servers'][$server->address()]['locks'] === 1, $said);
echo 'denied: ', implode(' ', array_map(fn ($entry) => array_column(array_chunk($entry, 2), 1, 0)['object'], $redis->cmd('ACL', 'LOG'))), "\n";
foreach (['forceUnlock', 'lock'] as $method) {
    try {
        (new RedisLock($dsn))->$method('SKU0001');
        echo "it may $method\n";
    } catch (RedisLockServerException $e) {
        is_so("it may not $method", (bool) preg_match('/permission|NOPERM/', $e->getMessage()), $e->getMessage());
    }
}

// Each right is needed.
$rights = preg_grep('/^\+(?!pexpire$|client\|)/', explode(' ', $found[1]));
foreach ($rights as $right) {
    $redis->cmd('ACL', 'SETUSER', 'doctor', '-' . substr($right, 1));
    $redis->cmd('SCRIPT', 'FLUSH');
    $run = cli(['--server=env:LOCKS', 'doctor', '--json', '--strict', '--user=shop'], ['LOCKS' => $dsn]);
    $levels = array_diff(array_column($run->json()['remarks'], 'level'), ['note']);
    in_array($right, ['+dbsize', '+config|get'], true) || $levels !== [] || print("without $right nothing is missed\n");
    $redis->cmd('ACL', 'SETUSER', 'doctor', $right);
}
echo count($rights), " rights\n";
?>
--EXPECT--
all => 0
  the status is that of the exit: yes
  note, leftovers: 1 lease ended before the holder gave the lock back, within the last day: "SKU0002"; see what became of its holder, or choose a longer expire
it has seen the lock: yes
denied: 
it may not forceUnlock: yes
it may not lock: yes
19 rights
