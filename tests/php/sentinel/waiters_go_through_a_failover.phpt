--TEST--
Waiters with a timeout of 30 s go on at the new master, each in turn and alone, however the old one went
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
    $options = ['read_timeout' => 0.5] + $set->options;
    $holder = Remote::start($set->dsn(), $options);
    $waiters = Remote::startMany(4, $set->dsn(), $options);
    var_dump($holder->call('lock', 'x', null, 60.0));
    line_up($set->master()->client(), $waiters, 'x', slow(30.0), 0.02);
    await_replicated($set);
    $new = $fail_over($set);
    $redis = $new->client();
    is_so("$way: they wait there", wait_until(fn () => blocked($redis) === 4, slow(10.0)), blocked($redis));
    var_dump(ends_by_itself($holder, 'unlock', 'x'));
    $answers = array_map(fn ($waiter) => $waiter->answer(slow(30.0)), $waiters);
    $turns = array_column($answers, 'result');
    is_so("$way: each had its turn", count(array_filter(array_column($turns, 'released'))) === 4, $answers);
    is_safe_if($set->master() === $new, "$way: alone", overlaps($turns) === 0, $turns);
}
?>
--EXPECT--
bool(true)
planned: they wait there: yes
bool(true)
planned: each had its turn: yes
planned: alone: yes
bool(true)
killed: they wait there: yes
bool(true)
killed: each had its turn: yes
killed: alone: yes
bool(true)
stopped: they wait there: yes
bool(true)
stopped: each had its turn: yes
stopped: alone: yes
bool(true)
cut off: they wait there: yes
bool(true)
cut off: each had its turn: yes
cut off: alone: yes
