--TEST--
A lease is renewed at the new master while its holder computes and makes no call, however the old one went
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

foreach (ways_to_fail_over() as $way => $fail_over) {
    $set = set_for($way);
    $holder = Remote::start($set->dsn(), ['expire' => 12.0, 'renew' => true] + $set->options);
    var_dump($holder->call('lock', 'x'));
    await_replicated($set);
    $new = $fail_over($set);
    $redis = $new->client();
    $before = $redis->cmd('PTTL', 'lock:x');
    // It is renewed after each third of its lease.
    is_so("$way: renewed there", wait_until(fn () => $redis->cmd('PTTL', 'lock:x') > max($before, 10000), slow(8.0)), [$before, $redis->cmd('PTTL', 'lock:x')]);
    $other = new RedisLock($set->dsn(), $set->options);
    var_dump($other->lock('x'), $holder->call('lost', 'x'), ends_by_itself($holder, 'unlock', 'x'));
    is_so("$way: free there", wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 0, slow(2.0)));
}
?>
--EXPECT--
bool(true)
planned: renewed there: yes
bool(false)
bool(false)
bool(true)
planned: free there: yes
bool(true)
killed: renewed there: yes
bool(false)
bool(false)
bool(true)
killed: free there: yes
bool(true)
stopped: renewed there: yes
bool(false)
bool(false)
bool(true)
stopped: free there: yes
bool(true)
cut off: renewed there: yes
bool(false)
bool(false)
bool(true)
cut off: free there: yes
