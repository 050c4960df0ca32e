--TEST--
A release that nobody could be asked for takes effect on the new master, with the next request of the process
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

foreach (['killed', 'stopped', 'cut off'] as $way) {
    $set = set_for($way);
    $lock = new RedisLock($set->dsn(), ['read_timeout' => 0.3, 'connect_timeout' => 0.3, 'expire' => 60.0] + $set->options);
    $lock->lock('x');
    await_replicated($set);
    $old = $set->master();
    match ($way) {
        'killed' => $old->kill(),
        'stopped' => $old->pause(),
        'cut off' => $set->cuts[0]->all(),
    };
    echo "$way: ";
    thrown(fn () => $lock->unlock('x')); // nobody is master
    $new = $set->awaitPromotion($old);
    var_dump($new->client()->cmd('EXISTS', 'lock:x'));
    await_calls($lock);
    is_so("$way: released there", wait_until(fn () => $new->client()->cmd('EXISTS', 'lock:x') === 0, slow(1.0)));
}
?>
--EXPECTF--
killed: RedisLockConnectionException: redis-sentinel://%s
int(1)
killed: released there: yes
stopped: RedisLockConnectionException: redis-sentinel://%s
int(1)
stopped: released there: yes
cut off: RedisLockConnectionException: redis-sentinel://%s
int(1)
cut off: released there: yes
