--TEST--
docs/monitoring.md: four commands find, name and release a lock that is stuck
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

preg_match('/^## A lock that is stuck\n.*?^```sh\n(.*?)^```/ms', file_get_contents(dirname(__DIR__, 3) . '/docs/monitoring.md'), $found);
$commands = explode("\n", trim($found[1]));
echo count($commands), " commands\n";

$server = RedisServer::start();
$folder = new PrivateFolder();
$holder = Worker::start('$lock = new RedisLock($argv[1]); echo $lock->lock("stock:SKU0001", null, 600.0) ? "held\n" : "", getmypid(), "\n"; sleep(600);', [$server->dsn()], options: counts_in($folder->path));
echo $holder->readLine(), "\n";
$pid = trim($holder->readLine());
Worker::run('(new RedisLock($argv[1]))->lock("stock:SKU0001", 0.01);', [$server->dsn()], options: counts_in($folder->path));

// As it stands there, but for where PHP, its settings and the server of this test are.
mkdir("$folder->path/bin");
$command = implode(' ', array_map(escapeshellarg(...), [...php_command(), ...counts_in($folder->path), '-d', "redislock.servers={$server->dsn()}", dirname(__DIR__, 3) . '/bin/redislock']));
file_put_contents("$folder->path/bin/redislock", "#!/bin/sh\nexec $command \"\$@\"\n");
chmod("$folder->path/bin/redislock", 0755);
$said = [];
foreach ($commands as $i => $line) {
    $line = str_replace('--uid=www-data', '--uid=' . posix_geteuid(), $line);
    $run = run_to_end(['sh', '-c', $line], ['PATH' => "$folder->path/bin:" . getenv('PATH')], together: true);
    $said[$i] = $run->out;
    echo "$run->status\n";
}
is_so('the group', $said[0] === "redislock_acquire_total{group=\"stock\",outcome=\"timed_out\"} 1\n", $said[0]);
is_so('the lock', (bool) preg_match('/stock:SKU0001/', $said[1]), $said[1]);
is_so('its holder', str_contains($said[2], $pid), $said[2]);
is_so('away with it', (bool) preg_match('/^stock:SKU0001 was taken from /', $said[3]), $said[3]);
is_so('it is free', Worker::run('var_dump((new RedisLock($argv[1]))->lock("stock:SKU0001"));', [$server->dsn()], options: counts_in($folder->path)) === "bool(true)\n");
?>
--EXPECT--
4 commands
held
0
0
0
0
the group: yes
the lock: yes
its holder: yes
away with it: yes
it is free: yes
