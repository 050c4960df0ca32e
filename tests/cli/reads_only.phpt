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

preg_match('/^ACL SETUSER viewer on >secret (.*)$/m', file_get_contents(__DIR__ . '/../../docs/operations.md'), $found);
$rights = $found[1];
$server = RedisServer::start(["user viewer on >secret $rights"]);
$lock = new RedisLock('unix://' . $server->socket());
$lock->lock('SKU0001');
$redis = $server->client();
$redis->cmd('CONFIG', 'RESETSTAT');
$redis->cmd('REPLICAOF', '127.0.0.1', '1'); // a replica would refuse what writes
$env = ['VIEWER' => 'unix://viewer:secret@' . $server->socket()];
foreach ([['ls'], ['show', 'SKU0001'], ['show', 'free'], ['watch', '--count=1']] as $args) {
    $run = cli(['--server=env:VIEWER', ...$args], $env);
    echo implode(' ', $args), " => $run->status $run->err\n";
}
$calls = array_keys(command_calls($redis));
sort($calls);
echo implode(' ', $calls), "\n";

echo "ping\n";
$run = cli(['--server=env:VIEWER', 'ping'], $env);
echo preg_match('/NOPERM/', $run->err, $found) ? $found[0] : $run->err, " => $run->status\n";
?>
--EXPECT--
ls => 0 
show SKU0001 => 0 
show free => 1 
watch --count=1 => 0 
auth config|resetstat get pttl replicaof scan time zcount
ping
NOPERM => 3
