--TEST--
The login of the DSN, or of the options, is that at the master
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(config: ['user alice on >s3cret ~* &* +@all'], password: 'g3heim');
$redis = $set->master()->client();
$lock = new RedisLock($set->dsn(), $set->options);
var_dump($lock->lock('x'), $lock->unlock('x'));
$bare = bare($set->dsn());
foreach ([['username' => 'alice', 'password' => 's3cret'], ['password' => 'g3heim']] as $login) {
    $lock = new RedisLock($bare, $login + $set->options);
    var_dump($lock->lock('x'), $lock->unlock('x'));
}
$lock = new RedisLock(str_replace('//', '//alice:s3cret@', $bare), $set->options);
var_dump($lock->lock('x'), str_contains($redis->cmd('CLIENT', 'LIST'), 'user=alice'), $lock->unlock('x'));
foreach ([[], ['password' => 'wr0ng'], ['username' => 'alice', 'password' => 'wr0ng']] as $login) {
    $start = now();
    $message = refusal($bare, $login + $set->options);
    took_between('seconds', now() - $start, 0, 0.5);
    has_no_secret('it', $message, 'wr0ng', 'g3heim');
}
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: 127.0.0.1:%d: a password is needed (NOAUTH) (lock "x")
seconds: yes
it: no secret
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: 127.0.0.1:%d: the login was refused (WRONGPASS) (lock "x")
seconds: yes
it: no secret
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: 127.0.0.1:%d: the login was refused (WRONGPASS) (lock "x")
seconds: yes
it: no secret
