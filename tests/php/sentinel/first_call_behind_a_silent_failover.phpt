--TEST--
A kept connection leads to a master that says nothing any more and was replaced: the first call does not wait for it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

foreach (array_intersect_key(ways_to_fail_over(), ['stopped' => 1, 'cut off' => 1]) as $way => $fail_over) {
    $set = set_for($way);
    $locks = [new RedisLock($set->dsn(), $set->options), new RedisLock($set->dsn(), $set->options)];
    $locks[0]->lock('x', expire: 60.0);
    await_replicated($set);
    $new = $fail_over($set);
    usleep(1_000_000); // it is asked again whether the master is still the same where the last time was a second ago
    $start = now();
    var_dump($locks[0]->unlock('x'), $locks[1]->lock('y'));
    took_between("$way: seconds", now() - $start, 0, 0.5);
    var_dump($new->client()->cmd('EXISTS', 'lock:x'), $new->client()->cmd('EXISTS', 'lock:y'));
}
?>
--EXPECT--
bool(true)
bool(true)
stopped: seconds: yes
int(0)
int(1)
bool(true)
bool(true)
cut off: seconds: yes
int(0)
int(1)
