--TEST--
A worker that waits for a task, and one that has one, go on at the new master, however the old one went
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
    $options = ['read_timeout' => 0.5, 'connect_timeout' => 0.5] + $set->options;
    $queue = new RedisQueue($set->dsn(), $options);
    $queue->enqueue('mail', 'taken');
    $task = $queue->reserve('mail', visibility: 60.0);
    $code = '$queue = new RedisQueue($argv[1], unserialize(base64_decode($argv[2]))); echo json_encode($queue->reserve("mail", timeout: 30.0)["id"]);';
    $worker = Worker::start($code, [$set->dsn(), base64_encode(serialize($options))]);
    await_blocked($set->master()->client(), 1);
    await_replicated($set);
    $new = $fail_over($set);
    is_so("$way: it waits there", wait_until(fn () => blocked($new->client()) === 1, slow(10.0)));
    // A connection to a master that says nothing is left when the time of the first call is over.
    $acked = fn () => $queue->ack('mail', $task['id'], $task['receipt']);
    is_so("$way: the task is acknowledged", in_array(true, [outcome($acked) === 'true', outcome($acked) === 'true']));
    $queue->enqueue('mail', 'waited for');
    echo "$way: ", $worker->output(), "\n";
}
?>
--EXPECT--
planned: it waits there: yes
planned: the task is acknowledged: yes
planned: "waited for"
killed: it waits there: yes
killed: the task is acknowledged: yes
killed: "waited for"
stopped: it waits there: yes
stopped: the task is acknowledged: yes
stopped: "waited for"
cut off: it waits there: yes
cut off: the task is acknowledged: yes
cut off: "waited for"
