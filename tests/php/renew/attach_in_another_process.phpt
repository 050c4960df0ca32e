--TEST--
attach() with renew sets the lease to the option expire and renews it, in another process than the one that detached it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$lock->lock('x', expire: 60, renew: true);
$token = $lock->detach('x');
$worker = Worker::start(
    '$lock = new RedisLock($argv[1], ["expire" => (float) $argv[3]]);
    var_dump($lock->attach("x", $argv[2], renew: true));
    fgets(STDIN);
    var_dump($lock->remaining("x") > 0, $lock->unlock("x"));',
    [$server->dsn(), $token, lease(0.6)],
);
echo $worker->readLine(), "\n";
is_between('TTL', $redis->cmd('PTTL', 'lock:x'), 100, lease(600));
is_so('it stays', stays($redis, 'lock:x', lease(1.2)));
$worker->tell('end');
echo $worker->output();
var_dump((new RedisLock($server->dsn()))->attach('x', $token, renew: true));
?>
--EXPECT--
bool(true)
TTL: yes
it stays: yes
bool(true)
bool(true)
bool(false)
