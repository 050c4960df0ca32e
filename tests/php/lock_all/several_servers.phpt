--TEST--
lockAll() on several servers: all or none, also with one of them down
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

ini_set('redislock.node_timeout', '0.9'); // on a busy machine, who is slow is not silent
$servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
$dsns = array_map(fn ($server) => $server->dsn(), $servers);
$lock = new RedisLock($dsns);
$other = new RedisLock($dsns);
$locks = fn () => array_map(fn ($server) => implode(' ', preg_grep('/:rl:/', all_keys($server->client()), PREG_GREP_INVERT)), array_slice($servers, 0, 2));
$both_have = fn (string $keys) => wait_until(fn () => $locks() === [$keys, $keys], 5);

$lock->waiters('a'); // waits for all: then they are connected, and all take part
var_dump($lock->lockAll(['b', 'a']));
is_so('a and b are locked', $both_have('lock:a lock:b'), $locks());
var_dump($other->lockAll(['c', 'b']), $other->lockAll(['c', 'b'], 0.2), $other->held());
is_so('c is free', $both_have('lock:a lock:b'), $locks());
$servers[2]->kill();
var_dump($other->lockAll(['d', 'c'], 1.0), $lock->unlockAll(), $other->unlockAll());
is_so('all are free', $both_have(''), $locks());
$servers[1]->kill();
echo outcome(fn () => $lock->lockAll(['a', 'b'])), ' ', json_encode($lock->held()), "\n";
?>
--EXPECT--
bool(true)
a and b are locked: yes
bool(false)
bool(false)
array(0) {
}
c is free: yes
bool(true)
bool(true)
bool(true)
all are free: yes
RedisLockConnectionException []
