--TEST--
redislock doctor of a server that is well: OK in the first line, as monitoring plugins have it, and no key is left
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

$server = RedisServer::start(HEALTHY);
$run = cli(['--server=' . $server->dsn(), 'doctor'], [], ['-d', 'redislock.read_timeout=' . read_timeout()]);
[$first] = explode("\n", $run->out);
$pattern = '~^REDISLOCK OK - ' . preg_quote($server->address(), '~') . ': locked and unlocked in # ms(; \d notes?)? \| lock=#s round_trip=#s round_trip_max=#s clock_offset=#s memory=#% clients=# locks=0$~';
is_so('first line', preg_match(str_replace('#', '-?[\d.]+', $pattern), $first) === 1, $first);
is_so('exit', $run->status === 0 && $run->err === '', $run);
preg_match('/^ok: .*/m', $run->out, $found);
echo preg_replace('/ (version|latency),/', '', $found[0]), "\n";
is_so('what it is', (bool) preg_match('/^version +\w+ [\d.]+ standalone master$/m', $run->out), $run->out);
is_so('it leaves no key', all_keys($server->client()) === []);

$said = diagnose('for programs', $server->dsn());
$facts = $said['servers'][$server->address()];
is_so('numbers', $facts['round_trip'] > 0 && $facts['round_trip_max'] >= $facts['round_trip'] && $facts['lock_and_unlock'] > 0 && abs($facts['clock_offset']) < slow(0.1), $facts);
?>
--EXPECT--
first line: yes
exit: yes
ok: lock, role, memory, disk, database, replicas, connections, clock, rights, leftovers
what it is: yes
it leaves no key: yes
for programs => 0
  the status is that of the exit: yes
numbers: yes
