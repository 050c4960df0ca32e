--TEST--
Each server may have a login, a database and a way of its own
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$servers = [
    RedisServer::start(password: 'first'),
    RedisServer::start(['user alice on >second ~* &* +@all']),
    RedisServer::start(tcp: true),
    RedisServer::start(),
    RedisServer::start(),
];
$dsns = [
    $servers[0]->address(':first'),
    str_replace('://', '://alice:second@', $servers[1]->dsn(3)),
    $servers[2]->tcpDsn(database: 5),
    $servers[3]->dsn(),
    $servers[4]->dsn(7),
];
$lock = new RedisLock($dsns);
$lock->waiters('x'); // waits for all: then they are connected, and all take part
var_dump($lock->lock('x'));
foreach ([0, 3, 5, 0, 7] as $i => $database) {
    $redis = $servers[$i]->client();
    $redis->cmd('SELECT', $database);
    is_so("server $i, database $database", wait_until(fn () => $redis->cmd('GET', 'lock:x') === $lock->token('x'), 2.0));
}
var_dump($lock->unlock('x'));

// One that refuses the login is one that does not answer.
$dsns[0] = str_replace('first', 'wr0ng', $dsns[0]);
$lock = new RedisLock($dsns);
var_dump($lock->lock('x'), $lock->unlock('x'));

// The options are for those whose DSN says nothing.
$servers = [RedisServer::start(password: 'common'), RedisServer::start(password: 'common'), RedisServer::start(password: 'other')];
$lock = new RedisLock([$servers[0]->dsn(), $servers[1]->dsn(), str_replace('://', '://:other@', $servers[2]->dsn(1))], ['password' => 'common', 'database' => 2]);
$lock->waiters('x');
var_dump($lock->lock('x'));
foreach ([2, 2, 1] as $i => $database) {
    $redis = $servers[$i]->client();
    $redis->cmd('SELECT', $database);
    is_so("server $i, database $database", wait_until(fn () => $redis->cmd('GET', 'lock:x') === $lock->token('x'), 2.0));
}
?>
--EXPECT--
bool(true)
server 0, database 0: yes
server 1, database 3: yes
server 2, database 5: yes
server 3, database 0: yes
server 4, database 7: yes
bool(true)
bool(true)
bool(true)
bool(true)
server 0, database 2: yes
server 1, database 2: yes
server 2, database 1: yes
