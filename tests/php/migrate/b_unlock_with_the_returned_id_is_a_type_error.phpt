--TEST--
Row B: lock() returns true where it returned an id; unlock($name, $id) with it is a TypeError that says what to write
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_token_lock.inc';

$server = RedisServer::start();
$redis = $server->client();
$old = new OldTokenLock($server->client());
$lock = new RedisLock($server->dsn(), ['prefix' => 'TEST_LOCK', 'timeout' => 5, 'auto_release' => false]);

$id = $lock->lock('account:1');
if ($id) {
    is_so('the section is locked', all_keys($redis) === ['TEST_LOCKaccount:1'], all_keys($redis));
    is_so('the old class is kept out', $old->lock('account:1', 1) === false);
    thrown(fn () => $lock->unlock('account:1', $id));
}
is_so('it stays locked', all_keys($redis) === ['TEST_LOCKaccount:1'], all_keys($redis));
is_so('unlock($name) releases it', $lock->unlock('account:1') && all_keys($redis) === []);
?>
--EXPECTF--
the section is locked: yes
the old class is kept out: yes
TypeError: RedisLock::unlock(): Argument #2 ($token) must be of type ?string, bool given: leave it out %s, or write what token() returned
it stays locked: yes
unlock($name) releases it: yes
