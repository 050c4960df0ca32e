--TEST--
Those who wait in line behind a lock that is held for long wake up rarely
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

/** How often they have slept so far, all together. */
function sleeps(array $workers): int
{
    return array_sum(array_map(function ($worker) {
        preg_match('/^voluntary_ctxt_switches:\s+(\d+)/m', file_get_contents("/proc/{$worker->worker->pid()}/status"), $found);
        return (int) $found[1];
    }, $workers));
}

$server = RedisServer::start();
$machine = new Machine($server->dsn());

$workers = $machine->workers(13);
$machine->warmUp($workers);
$waiters = array_slice($workers, 1);
$workers[0]->call('lock', 'x');
$machine->lineUp($waiters, 'x', PATIENCE);
usleep(1_700_000);
[$before, $began] = [sleeps($waiters), now()];
usleep(1_000_000);
$rate = (sleeps($waiters) - $before) / (now() - $began);
is_so('fewer than 30 times a second, all together', $rate < 30, $rate);
var_dump($workers[0]->call('unlock', 'x'));
check_turns($waiters);
?>
--EXPECT--
fewer than 30 times a second, all together: yes
bool(true)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
