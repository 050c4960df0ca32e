--TEST--
lockAll(): each name has its own token, lease and fence, and can be released, extended or detached by itself
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

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['fencing' => true]);
$lock->lock('b');
$before = $lock->fence('b');
$lock->unlock('b');

var_dump($lock->lockAll(['b', 'a', 'c'], expire: 20));
is_so('tokens', count(array_unique(array_map($lock->token(...), ['a', 'b', 'c']))) === 3);
foreach (['a', 'b', 'c'] as $name) {
    is_so("$name: the token is in Redis", $redis->cmd('GET', "lock:$name") === $lock->token($name));
    is_between("$name: lease", $redis->cmd('PTTL', "lock:$name"), 15000, 20000);
    is_between("$name: remaining", $lock->remaining($name), 15, 20);
    is_so("$name: fence", $lock->fence($name) > $before);
}
var_dump($lock->expire('a', 40), $lock->unlock('b'));
is_between('a: remaining', $lock->remaining('a'), 35, 40);
$token = $lock->detach('c');
var_dump($lock->unlockAll());
is_so('c is still locked', $redis->cmd('GET', 'lock:c') === $token);
?>
--EXPECT--
bool(true)
tokens: yes
a: the token is in Redis: yes
a: lease: yes
a: remaining: yes
a: fence: yes
b: the token is in Redis: yes
b: lease: yes
b: remaining: yes
b: fence: yes
c: the token is in Redis: yes
c: lease: yes
c: remaining: yes
c: fence: yes
bool(true)
bool(true)
a: remaining: yes
bool(true)
c is still locked: yes
