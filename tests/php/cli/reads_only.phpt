--TEST--
redislock ls, show and watch are content with the right to read, and write nothing
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

preg_match('/^ACL SETUSER viewer on >secret (.*)$/m', file_get_contents(__DIR__ . '/../../../docs/operations.md'), $found);
$rights = $found[1];
$server = RedisServer::start(["user viewer on >secret $rights"]);
$lock = new RedisLock($server->dsn());
$lock->lock('SKU0001');
$redis = $server->client();
$redis->cmd('SET', 'lock:described', 'rl:' . str_repeat('0', 32) . ':r19abcdef012:web-3:4711 cron.php');
$redis->cmd('ZADD', '{lock:described}:rl:wait', $redis->cmd('TIME')[0] * 1000 + 600_000, str_repeat('0', 24) . ':-19abcdef012:web-1:12');
$redis->cmd('CONFIG', 'RESETSTAT');
$redis->cmd('REPLICAOF', '127.0.0.1', '1'); // a replica would refuse what writes
$env = ['VIEWER' => $server->address('viewer:secret')];
foreach ([['ls'], ['show', 'SKU0001'], ['show', 'described'], ['show', 'free'], ['watch', '--count=1']] as $args) {
    $run = cli(['--server=env:VIEWER', ...$args], $env);
    echo implode(' ', $args), " => $run->status $run->err\n";
}
$calls = array_keys(command_calls($redis));
sort($calls);
echo implode(' ', $calls), "\n";


echo "without what shows who waits, and the clock\n";
$redis->cmd('ACL', 'SETUSER', 'viewer', '-zrangebyscore', '-client|list', '-time');
foreach ([['ls'], ['show', 'described']] as $args) {
    $run = cli(['--server=env:VIEWER', ...$args], $env);
    preg_match('/^waiters.*/m', $run->out, $found);
    echo implode(' ', $args), " => $run->status $run->err", $found[0] ?? '', "\n";
}
is_so('JSON says that it is not known', cli(['--server=env:VIEWER', '--json', 'show', 'described'], $env)->json()['waiting'] === null);

echo "ping\n";
$run = cli(['--server=env:VIEWER', 'ping'], $env);
echo preg_match('/it cannot be locked on: NOPERM/', $run->out, $found) ? $found[0] : $run->err, " => $run->status\n";
?>
--EXPECT--
ls => 0 
show SKU0001 => 0 
show described => 0 
show free => 1 
watch --count=1 => 0 
auth client|list config|resetstat get pttl replicaof scan time zcount zrangebyscore
without what shows who waits, and the clock
ls => 0 
show described => 0 waiters  1; the user may not ask for them (NOPERM): it needs +zrangebyscore
JSON says that it is not known: yes
ping
it cannot be locked on: NOPERM => 3
