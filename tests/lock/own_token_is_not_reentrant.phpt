--TEST--
A caller's token that holds the lock already is told that it is held, and nothing of it is released
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../redlock/ring.inc';

foreach ([[RedisServer::start()], (new Ring(3))->servers] as $servers) {
    $dsns = array_map(fn ($server) => $server->dsn(), $servers);
    // What is not answered in time is taken back by its token, and so from whoever else has the same.
    $options = ['node_timeout' => 10.0, 'read_timeout' => 10.0];
    $a = new RedisLock($dsns, $options);
    $b = new RedisLock($dsns, $options);
    var_dump($a->lock('x', token: 'same'));
    var_dump($b->lock('x', token: 'same'), $b->lock('x', timeout: 1.0, token: 'same'));
    var_dump($b->lock('x', token: 'another'), $b->held());
    foreach ($servers as $server) {
        is_so('it stands', wait_until(fn () => $server->client()->cmd('GET', 'lock:x') === 'same'));
    }
    var_dump($a->isLocking('x'), $a->unlock('x'));
}
?>
--EXPECT--
bool(true)
bool(false)
bool(false)
bool(false)
array(0) {
}
it stands: yes
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
bool(false)
array(0) {
}
it stands: yes
it stands: yes
it stands: yes
bool(true)
bool(true)
