--TEST--
A value that is being built when the master goes is stored at the new one, and those who wait for it get it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/failover.inc';

$code = '$lock = new RedisLock($argv[1], unserialize(base64_decode($argv[2])));
    $value = $lock->remember("k", function () { echo "builds\n"; fgets(STDIN); return "built"; }, 60.0, timeout: 30.0);
    echo "$value\n";';
// A master that says nothing costs a call its whole time: the store would fail, as of any server.
foreach (array_intersect_key(ways_to_fail_over(), ['planned' => 1, 'killed' => 1]) as $way => $fail_over) {
    $set = set_for($way);
    $args = [$set->dsn(), base64_encode(serialize(['read_timeout' => 0.5, 'connect_timeout' => 0.5, 'expire' => 30.0] + $set->options))];
    $builder = Worker::start($code, $args);
    $said = [$builder->readLine()];
    $waiters = [Worker::start($code, $args), Worker::start($code, $args)];
    await_blocked($set->master()->client(), 2);
    await_replicated($set);
    $new = $fail_over($set);
    is_so("$way: they wait there", wait_until(fn () => blocked($new->client()) === 2, slow(10.0)));
    $builder->tell('go on');
    $said[] = $builder->readLine();
    echo "$way: ", implode(' ', [...$said, ...array_map(fn ($waiter) => $waiter->readLine(), $waiters)]), "\n";
}
?>
--EXPECT--
planned: they wait there: yes
planned: builds built built built
killed: they wait there: yes
killed: builds built built built
