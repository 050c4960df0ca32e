--TEST--
redislock release: takes the lock away, but only with --force, and hands it on
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
$lock = new RedisLock($server->dsn());
$lock->lock('SKU0001');
show($server, 'release', 'SKU0001');
var_dump($lock->isLocking('SKU0001'));
show($server, 'release', 'SKU0001', '--force');
var_dump($lock->isLocking('SKU0001'));
show($server, 'release', 'SKU0001', '--force');
show($server, 'release', '--force', '--json', 'SKU0001');

echo "to a waiter\n";
$lock->lock('SKU0002');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    echo $lock->lock("SKU0002", 60) ? "served\n" : "gave up\n";
', [$server->dsn()]);
wait_until(fn () => $lock->waiters('SKU0002') === 1);
show($server, '--force', 'release', 'SKU0002');
echo $waiter->output();

echo "what is no lock stays\n";
$redis = $server->client();
$redis->cmd('HSET', 'lock:hash', 'no', 'lock');
show($server, 'release', 'hash', '--force');
var_dump($redis->cmd('EXISTS', 'lock:hash'));
?>
--EXPECT--
redislock: this takes the lock from whoever holds it, who may go on as if it had it: say --force
=> 2
bool(true)
SKU0001 was taken from rl:00000000000000000000000000000000
=> 0
bool(false)
SKU0001 is free
=> 1
{
    "name": "SKU0001",
    "released": false,
    "owner": null,
    "kind": null,
    "description": null,
    "host": null,
    "pid": null,
    "runs": null,
    "since": null,
    "age": null
}
=> 1
to a waiter
SKU0002 was taken from rl:00000000000000000000000000000000 and handed to the first of 1 waiting
=> 0
served
what is no lock stays
redislock: unix://… WRONGTYPE Operation against a key holding the wrong kind of value (lock "hash")
=> 3
int(1)
