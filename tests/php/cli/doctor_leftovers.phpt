--TEST--
redislock doctor: what lies in Redis that nobody needs, or nobody will take away, with names that are harmless to look at
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
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['auto_release' => false, 'fencing' => true]);
$lock->lock('SKU0001');
$lock->lock('{tag}');
diagnose('locks that are held', $server->dsn());

$lock->lock('of ours', 0, INF);
diagnose('without end', $server->dsn());
$redis->cmd('SET', "lock:\e[31mred|'s", "\e]0;title\x07");
$said = diagnose('without end, of another client', $server->dsn());
is_so('the first line has no | but before the numbers', substr_count($said['summary'], '|') === 1, $said['summary']);
$shown = cli(['--server=' . $server->dsn(), 'doctor'])->out;
is_so('a terminal may be shown all of it', !preg_match('/[^\x20-\x7e\n]/', $shown), $shown);
$command = about($said, 'leftovers')[0]['commands'][0];
echo "  \$ $command\n";
exec('bash -c ' . escapeshellarg(preg_replace('/^redislock/', 'printf "%s\n"', $command)), $words);
echo '  ', trim(cli(['--server=' . $server->dsn(), ...$words])->out), "\n";
$lock->unlockAll();

$redis->cmd('LPUSH', 'lock:list', 'x');
$redis->cmd('SET', '{lock:SKU0003}:rl:note', 'x', 'EX', '100');
$redis->cmd('ZADD', '{lock:SKU0004}:rl:wait', '1', 'waiter');
$redis->cmd('SET', '{lock:SKU0005}:rl:queue', 'x', 'EX', '100');
$redis->cmd('SET', 'other:rl:queue', 'x');
$said = diagnose('beside locks', $server->dsn());
foreach (array_slice(about($said, 'leftovers'), 2, 2) as $remark) {
    type_commands($redis, $remark['commands']);
}
diagnose('another database', $server->dsn(database: 1));
?>
--EXPECT--
locks that are held => 0
  the status is that of the exit: yes
without end => 0
  the status is that of the exit: yes
  note, leftovers: 1 lock has no end, by its holder's wish (INF), and stays if the holder is killed: "of ours" (rl:TOKEN); if the holder is gone, take it away
without end, of another client => 1
  the status is that of the exit: yes
  warning, leftovers: 1 lock has no end, which another client took, and stays if the holder is killed: "\033[31mred|'s" (\033]0;title\a); if the holder is gone, take it away
  note, leftovers: 1 lock has no end, by its holder's wish (INF), and stays if the holder is killed: "of ours" (rl:TOKEN); if the holder is gone, take it away
the first line has no | but before the numbers: yes
a terminal may be shown all of it: yes
  $ redislock release --force -- $'\x1b[31mred|\x27s'
  \x1b[31mred|'s was taken from foreign: \x1b]0;title\x07
beside locks => 1
  the status is that of the exit: yes
  warning, leftovers: 1 key is of another type where a lock would be, and calls for these names throw (WRONGTYPE): "list"; find who writes them, or use another prefix
  note, database: other keys are in this database: whoever empties it with FLUSHDB, as a cache does that is cleared, ends all locks; give locks a database of their own
  note, leftovers: 1 lease ended before the holder gave the lock back, within the last day: "SKU0003"; see what became of its holder, or choose a longer expire
  note, leftovers: 1 key beside a lock has no end, which this version always gives: {lock:SKU0004}:rl:wait; if no other version of redislock is in use, delete them
  note, leftovers: 1 key beside a lock is none that this version knows: {lock:SKU0005}:rl:queue; if no other version of redislock is in use, delete them
  note, leftovers: a waiter has stopped asking in the last seconds: killed, or stopped; they leave the line by themselves; see whether processes are killed while they wait
  $ redis-cli -s SOCKET DEL '{lock:SKU0004}:rl:wait'
  $ redis-cli -s SOCKET DEL '{lock:SKU0005}:rl:queue'
another database => 0
  the status is that of the exit: yes
