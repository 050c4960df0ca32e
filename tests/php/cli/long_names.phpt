--TEST--
redislock: a long name or owner does not tear a table apart; show and --json have all of it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
$redis = $server->client();
$long = str_repeat('0123456789', 6000);
foreach ([substr($long, 0, 60), substr($long, 0, 61), $long, str_repeat("\x01", 100)] as $name) {
    $redis->cmd('SET', "lock:$name", "of $long", 'PX', 3_600_000);
}
show($server, 'ls');
$dsn = ['REDISLOCK_SERVER' => $server->dsn()];
is_so('show has it', str_contains(cli(['--server=env:REDISLOCK_SERVER', 'show', $long], $dsn)->out, $long));
is_so('JSON has it', cli(['--server=env:REDISLOCK_SERVER', '--json', 'ls', "*$long"], $dsn)->json()[0]['name'] === $long);
?>
--EXPECT--
NAME                                       OWNER                       AGE   LEASE  RENEWED  WAITERS
\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01…  foreign: of 0123456789012…  N s                 0
0123456789012345678901234567890123456789…  foreign: of 0123456789012…  N s                 0
0123456789012345678901234567890123456789…  foreign: of 0123456789012…  N s                 0
0123456789012345678901234567890123456789…  foreign: of 0123456789012…  N s                 0
=> 0
show has it: yes
JSON has it: yes
