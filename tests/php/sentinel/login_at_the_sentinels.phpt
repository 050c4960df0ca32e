--TEST--
The sentinels have a login of their own: a password, or a user with no more rights than needed
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$set = SentinelSet::start(sentinelPassword: 's3ntinel', sentinelConfig: [
    'user reader on >r3ad -@all +sentinel|master +sentinel|get-master-addr-by-name +auth',
    'user addresses on >r3ad -@all +sentinel|get-master-addr-by-name +auth',
]);
$lock = new RedisLock($set->dsn(), $set->options);
var_dump($lock->lock('x'), $lock->unlock('x'));
foreach (['reader', 'addresses'] as $user) {
    $lock = new RedisLock($set->dsn(), ['sentinel_username' => $user, 'sentinel_password' => 'r3ad']);
    var_dump($lock->lock('x'), $lock->unlock('x'));
}
foreach ([[], ['sentinel_password' => 'wr0ng'], ['sentinel_username' => 'nobody', 'sentinel_password' => 'wr0ng']] as $login) {
    $start = now();
    $message = refusal($set->dsn(), $login);
    took_between('seconds', now() - $start, 0, 0.5);
    has_no_secret('it', $message, 'wr0ng', 's3ntinel', 'r3ad');
}
?>
--EXPECTF--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: a password is needed (NOAUTH): that of the sentinels is the option sentinel_password (lock "x")
seconds: yes
it: no secret
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: the login was refused (WRONGPASS): that of the sentinels is the option sentinel_password (lock "x")
seconds: yes
it: no secret
RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: the login was refused (WRONGPASS): that of the sentinels is the option sentinel_password (lock "x")
seconds: yes
it: no secret
