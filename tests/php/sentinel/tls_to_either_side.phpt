--TEST--
TLS to the sentinels, to the master, or to both, also after a failover; an unknown authority is refused
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('openssl');
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

foreach (['both', 'servers', 'sentinels'] as $tls) {
    $set = SentinelSet::start(tls: $tls);
    $lock = new RedisLock($set->dsn(), $set->options);
    $locks = fn () => $lock->lock('x', 5.0) && $set->master()->client()->cmd('EXISTS', 'lock:x') === 1 && $lock->unlock('x');
    is_so("$tls: locks", $locks());
    $set->failover();
    is_so("$tls: locks after a failover", $locks());
    echo "$tls: ";
    refusal($set->dsn(), ['tls' => [], 'connect_timeout' => 10.0, 'read_timeout' => 10.0] + $set->options, 0.0);
}
?>
--EXPECTF--
both: locks: yes
both: locks after a failover: yes
both: RedisLockConnectionException: rediss-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: TLS: self-signed certificate in certificate chain (certificate verify failed) (lock "x")
servers: locks: yes
servers: locks after a failover: yes
servers: RedisLockConnectionException: rediss-sentinel://%s/mymaster/0: 127.0.0.1:%d: TLS: self-signed certificate in certificate chain (certificate verify failed) (lock "x")
sentinels: locks: yes
sentinels: locks after a failover: yes
sentinels: RedisLockConnectionException: redis-sentinel://%s/mymaster/0: no sentinel could be asked; 127.0.0.1:%d: TLS: self-signed certificate in certificate chain (certificate verify failed) (lock "x")
