--TEST--
redislock tells of real locks and waiters what their processes are
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

ini_restore('redislock.owner');
$server = RedisServer::start();
$dsn = '--server=' . $server->dsn();
$process = gethostname() . ':' . getmypid();
$lock = new RedisLock($server->dsn());
$lock->lock('script', 0, 60);
RedisLock::describe('job ReserveStock');
$lock->lock('job', 0, 60, renew: true);
(new RedisLock($server->dsn(), ['owner' => 'the warehouse', 'auto_release' => false]))->lock('its own', 0, 60);
(new RedisLock($server->dsn(), ['owner' => '', 'auto_release' => false]))->lock('nobody', 0, 60);
$lock->lock('of the caller', 0, 60, token: 'a token of its own');

/** A process that waits until it is told that it has the lock, or the value. */
function waiter(string $call): Worker
{
    global $server;
    return Worker::start('$lock = new RedisLock($argv[1]); RedisLock::describe("waits"); ' . $call, [$server->dsn()]);
}

$waiters = [];
foreach ([1, 2, 3] as $count) {
    $waiters[] = waiter('$lock->lock("job", 60); echo getmypid();');
    wait_until(fn () => $lock->waiters('job') === $count);
}
$locks = array_column(cli([$dsn, 'ls', '--json'])->json(), null, 'name');
foreach ($locks as $name => $found) {
    $who = "$found[host]:$found[pid]" === $process ? "this process $found[runs]" : $found['description'];
    echo "$name: $found[kind] ", json_encode([$who, $found['renewed'], $found['waiters']]), "\n";
    is_so('age', $found['age'] === null ? in_array($name, ['nobody', 'of the caller'], true) : $found['age'] < slow(60.0));
}

$waiting = cli([$dsn, 'show', 'job', '--json'])->json()['waiting'];
is_so('they wait in the order of their arrival', array_column($waiting, 'runs') === ['waits', 'waits', 'waits'], $waiting);
$pids = array_column($waiting, 'pid');
$text = cli([$dsn, 'show', 'job']);
is_so('show names them', preg_match_all('/^\S+:(\d+) waits  /m', $text->out, $found) === 3 && array_map('intval', $found[1]) === $pids, $text->out);
is_so('and from where the owner is connected', preg_match('/^connected  from \S+, idle \d+ s/m', $text->out), $text->out);

$run = cli([$dsn, 'release', 'job', '--force']);
is_so('release tells whom', preg_match('/^job was taken from ' . preg_quote($process, '/') . ' job ReserveStock after [\d.]+ s and handed to the first of 3 waiting$/', trim($run->out)), $run->out);
is_so('the first had it first', $waiters[0]->output() === (string) $pids[0]);
array_map(fn ($worker) => $worker->output(), array_slice($waiters, 1));

echo "a value that is built\n";
$lock->lock('until then', 0, 600);
$build = '$lock->remember("page", function () use ($argv) {
    (new RedisLock($argv[1]))->lock("until then", 60);
    return "built";
}, 60);';
$workers[] = waiter($build);
wait_until(fn () => $lock->waiters('until then') === 1);
$workers[] = waiter($build);
wait_until(fn () => $lock->waiters('page') === 1);
$found = cli([$dsn, 'show', 'page', '--json'])->json();
echo json_encode([$found['kind'], $found['runs'], $found['pid'] === $workers[0]->pid()]), "\n";
echo json_encode([array_column($found['waiting'], 'kind'), array_column($found['waiting'], 'runs'), $found['waiting'][0]['pid'] === $workers[1]->pid()]), "\n";
$lock->unlock('until then');
array_map(fn ($worker) => print $worker->output(), $workers);
?>
--EXPECT--
its own: lock ["the warehouse",false,0]
age: yes
job: lock ["this process job ReserveStock",true,3]
age: yes
nobody: lock [null,null,0]
age: yes
of the caller: foreign [null,null,0]
age: yes
script: lock ["this process owners_that_are_real.php",false,0]
age: yes
they wait in the order of their arrival: yes
show names them: yes
and from where the owner is connected: yes
release tells whom: yes
the first had it first: yes
a value that is built
["build","waits",true]
[["value"],["waits"],true]
