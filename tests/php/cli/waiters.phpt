--TEST--
redislock counts the waiters that RedisLock::waiters() counts, where the name has a hash tag too
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
foreach (['lock:', ''] as $prefix) {
    $lock = new RedisLock($server->dsn(), ['prefix' => $prefix]);
    $names = ['plain', '{tag}x', 'a{tag}', '{tag}', '{}x', 'open{', '}{x}', "line\n{t}"];
    $waiters = [];
    foreach ($names as $name) {
        $lock->lock($name);
        $waiters[] = Worker::start('
            $lock = new RedisLock($argv[1], ["prefix" => $argv[2]]);
            $lock->lock($argv[3], 60);
        ', [$server->dsn(), $prefix, $name]);
    }
    foreach ($names as $name) {
        wait_until(fn () => $lock->waiters($name) === 1);
    }
    $found = cli(['--server=' . $server->dsn(), "--prefix=$prefix", 'ls', '--json'])->json();
    $counts = array_column($found, 'waiters', 'name');
    ksort($counts);
    echo json_encode($counts), "\n";
    $lock->unlockAll();
    foreach ($waiters as $waiter) {
        $waiter->output();
    }
    $server->client()->cmd('FLUSHALL');
}

echo "the dead do not count\n";
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('x');
[$second] = $redis->cmd('TIME');
$redis->cmd('ZADD', '{lock:x}:rl:wait', $second * 1000 - 1, 'dead', $second * 1000 + 60000, 'alive');
echo cli(['--server=' . $server->dsn(), 'show', '--json', 'x'])->json()['waiters'], "\n";
?>
--EXPECT--
{"a{tag}":1,"line\n{t}":1,"open{":1,"plain":1,"{tag}":1,"{tag}x":1,"{}x":1,"}{x}":1}
{"a{tag}":1,"line\n{t}":1,"open{":1,"plain":1,"{tag}":1,"{tag}x":1,"{}x":1,"}{x}":1}
the dead do not count
1
