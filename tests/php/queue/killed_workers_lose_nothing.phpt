--TEST--
Workers are killed at random: each task is done at least once, and twice only if it was given out twice
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

require __DIR__ . '/kill.inc';

$began = microtime(true);
['enqueued' => $enqueued, 'delivered' => $delivered, 'acknowledged' => $acknowledged, 'kills' => $kills] = work_and_kill(RedisServer::start(), 'reserve');
is_so('each was delivered', !array_diff_key($enqueued, $delivered) && !array_diff_key($delivered, $enqueued));

$twice = $again = $wrong = 0;
foreach ($delivered as $attempts) {
    $twice += count($attempts) - 1;
    $again += count(array_filter($attempts, fn ($attempt) => $attempt > 1));
    $wrong += count(array_unique($attempts)) !== count($attempts) ? 1 : 0;
}
is_so('duplicates are deliveries after a reclaim', $twice <= $again, "$twice, $again");
is_safe('no attempt was given to two', $wrong === 0, $wrong);
is_safe('none was acknowledged twice', !array_filter($acknowledged, fn ($times) => $times > 1));
is_so('few were delivered twice', $twice <= 2 * $kills, $twice);
tell_numbers(sprintf('at least once: %d tasks, %d kills, %d deliveries after a reclaim, %d duplicates, %.1f s', count($enqueued), $kills, $again, $twice, microtime(true) - $began));
?>
--EXPECT--
nothing is left: yes
all were enqueued: yes
so many were killed: yes
left: nothing
each was delivered: yes
duplicates are deliveries after a reclaim: yes
no attempt was given to two: yes
none was acknowledged twice: yes
few were delivered twice: yes
