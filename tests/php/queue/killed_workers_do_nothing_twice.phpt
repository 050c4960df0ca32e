--TEST--
Workers that pop() are killed at random: no task is delivered twice, and only those are lost that the killed had
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
['enqueued' => $enqueued, 'delivered' => $delivered, 'kills' => $kills] = work_and_kill(RedisServer::start(), 'pop');
is_safe('none twice', !array_filter($delivered, fn ($attempts) => count($attempts) > 1));
is_safe('none that was not enqueued', !array_diff_key($delivered, $enqueued));
$lost = count(array_diff_key($enqueued, $delivered));
is_so('few are lost', $lost <= 2 * $kills, $lost);
tell_numbers(sprintf('at most once: %d tasks, %d kills, %d lost with their workers, %.1f s', count($enqueued), $kills, $lost, microtime(true) - $began));
?>
--EXPECT--
nothing is left: yes
all were enqueued: yes
so many were killed: yes
left: nothing
none twice: yes
none that was not enqueued: yes
few are lost: yes
