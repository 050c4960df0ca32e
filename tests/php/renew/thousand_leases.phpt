--TEST--
A thousand leases are renewed by few requests, and none of them any more after unlockAll()
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
$names = array_map(fn ($i) => "x$i", range(1, 1000));
$lock = new RedisLock($server->dsn(), ['expire' => slow(1.5), 'renew' => true]);
var_dump($lock->lockAll($names));
$calls = request_calls($redis);
$before = renewed();
is_so('all are there for longer than their lease', !wait_until(fn () => $redis->cmd('DBSIZE') !== 1000, slow(2.0)));
$times = (renewed() - $before) / 1000;
is_between('renewed each', $times, 2, 10);
is_between('leases a request', (renewed() - $before) / (request_calls($redis) - $calls), 100, 200);
echo 'held: ', count($lock->held()), "\n";
var_dump($lock->unlockAll());
is_so('nothing is left', all_keys($redis) === []);
is_so('nothing more is sent', is_quiet($redis, 0.7));
?>
--EXPECT--
bool(true)
all are there for longer than their lease: yes
renewed each: yes
leases a request: yes
held: 1000
bool(true)
nothing is left: yes
nothing more is sent: yes
