--TEST--
A call that has the time for it goes through the failover: no exception, and its answer is that of the new master
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

foreach (['planned', 'killed', 'stopped', 'cut off'] as $way) {
    $set = set_for($way);
    $newcomers = Remote::startMany(2, $set->dsn(), ['connect_timeout' => 0.5, 'read_timeout' => 0.5] + $set->options);
    // What does not wait has the longer of its timeouts. A silent master takes as much before another one is looked for.
    $holder = Remote::start($set->dsn(), ['connect_timeout' => 0.5, 'read_timeout' => slow(15.0)] + $set->options);
    var_dump($holder->call('lock', 'x', null, 60.0));
    await_replicated($set);
    $old = $set->master();
    match ($way) {
        'planned' => $old->client()->cmd('CLIENT', 'PAUSE', 60000, 'WRITE'),
        'killed' => $old->kill(),
        'stopped' => $old->pause(),
        'cut off' => $set->cuts[0]->all(),
    };
    $newcomers[0]->begin('lock', 'y', slow(15.0));
    $newcomers[1]->begin('lockAll', ['a', 'b'], slow(15.0));
    $asked = $way === 'planned' || $way === 'killed';
    if ($asked) {
        $holder->begin('unlock', 'x');
    }
    $way === 'planned' ? $set->failover() : $set->awaitPromotion($old);
    $answers = array_map(fn ($remote) => $remote->answer(slow(30.0)), $asked ? [...$newcomers, $holder] : $newcomers);
    is_so("$way: all say yes", array_unique(array_column($answers, 'result')) === [true], $answers);
    $redis = $set->master()->client();
    is_so("$way: it is so", $redis->cmd('EXISTS', 'lock:x', 'lock:y', 'lock:a', 'lock:b') === ($asked ? 3 : 4));
}
?>
--EXPECT--
bool(true)
planned: all say yes: yes
planned: it is so: yes
bool(true)
killed: all say yes: yes
killed: it is so: yes
bool(true)
stopped: all say yes: yes
stopped: it is so: yes
bool(true)
cut off: all say yes: yes
cut off: it is so: yes
