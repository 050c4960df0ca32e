--TEST--
The timeout of a wait holds while the server is down or stands still
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$late = [];
foreach (['kill', 'pause'] as $fault) {
    $server = RedisServer::start();
    $redis = $server->client();
    foreign_lock($redis, 'lock:x', 'theirs');
    $waiters = Remote::startMany(3, $server->dsn());
    foreach ($waiters as $i => $waiter) {
        $waiter->begin('lock', 'x', 1.0 + 0.7 * $i);
    }
    await_blocked($redis, 3);
    usleep(200000);
    $server->$fault();
    foreach ($waiters as $i => $waiter) {
        $answer = $waiter->answer();
        // A server that was well less than read_timeout before the deadline may only be slow: that is a plain false.
        echo "$fault: ", strtok($answer['error'] ?? json_encode($answer['result']), ':'), "\n";
        $late[] = ($answer['ended'] - $answer['began'] - (1.0 + 0.7 * $i)) * 1000;
    }
    if ($fault === 'pause') {
        // Nothing of theirs is taken when the server goes on and reads what they sent; their entries die by themselves.
        $server->resume();
        usleep(100000);
        var_dump(foreign_unlock($redis, 'lock:x', 'theirs'));
        is_so('the lock is free at once', all_keys($redis) === [] || all_keys($redis) === ['{lock:x}:rl:wait'], all_keys($redis));
        $watch = new RedisLock($server->dsn());
        is_so('nobody waits after some seconds', wait_until(fn () => $watch->waiters('x') === 0, 5.0), $watch->waiters('x'));
        is_so('no key is left', all_keys($redis) === [], all_keys($redis));
    }
}
ms_between('ms past the timeout, at most', max($late), -1, 50);
?>
--EXPECT--
kill: RedisLockConnectionException
kill: RedisLockConnectionException
kill: RedisLockConnectionException
pause: false
pause: RedisLockConnectionException
pause: RedisLockConnectionException
bool(true)
the lock is free at once: yes
nobody waits after some seconds: yes
no key is left: yes
ms past the timeout, at most: yes
