--TEST--
A segment that is removed under running processes: they go on by it, new ones by another, and they exclude each other by Redis
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$old = $machine->workers(3);
$machine->warmUp($old);
$new = $machine->workers(3); // they join at their first lock()
$old[0]->call('lock', 'x');
$machine->lineUp([$old[1]], 'x', PATIENCE, 0.2);
unlink($machine->segment());
$new[0]->begin('turn', 'x', PATIENCE, 0.02, LEASE);
await_blocked($redis, 1);
$machine->lineUp([$new[1], $new[2]], 'x', PATIENCE, 0.02);
$before = passed_on([$old[0]]);
var_dump($old[0]->call('unlock', 'x'));
usleep(50000);
$old[0]->begin('turn', 'x', PATIENCE, 0.02, LEASE);
$turns = array_map(fn ($worker) => $worker->answer()['result'], [$old[1], ...$new, $old[0]]);
is_so('each had its turn', count(array_filter(array_column($turns, 'released'))) === 5, $turns);
is_safe('one after another', overlaps($turns) === 0, $turns);
is_so('the old ones still pass it on', passed_on([$old[0]]) > $before);
is_so('so do the new ones', passed_on($new) === 2, passed_on($new));
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
one after another: yes
the old ones still pass it on: yes
so do the new ones: yes
Array
(
)
