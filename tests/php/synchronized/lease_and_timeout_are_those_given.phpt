--TEST--
synchronized() uses $timeout and $expire, or the options
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
$lock = new RedisLock($server->dsn(), ['expire' => 50, 'timeout' => 0.2]);

$ttl = fn () => $redis->cmd('PTTL', 'lock:x');
is_between('the option', $lock->synchronized('x', $ttl), 45000, 50000);
is_between('the argument', $lock->synchronized('x', $ttl, null, 10), 5000, 10000);

foreign_lock($redis, 'lock:x', 'theirs');
$try = function (?float $timeout) use ($lock) {
    try {
        $lock->synchronized('x', fn () => print("section ran\n"), $timeout);
    } catch (RedisLockTimeoutException) {
    }
};
took_between('the option, seconds', seconds(fn () => $try(null)), 0.1, 0.5);
took_between('the argument, seconds', seconds(fn () => $try(0)), 0, 0.15);
?>
--EXPECT--
the option: yes
the argument: yes
the option, seconds: yes
the argument, seconds: yes
