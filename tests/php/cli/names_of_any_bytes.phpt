--TEST--
redislock: names and tokens of any bytes do nothing to the terminal, and can be told apart
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
$lock = new RedisLock($server->dsn(), ['expire' => 99]); // what all these commands take under valgrind
$names = ["\e[2J", "a\nb", "\xff\xfe", "back\\slash", "库存", "*[a]?", "nul\0nul", " spaces "];
foreach ($names as $i => $name) {
    $lock->lock($name, token: "token $i\e[31m");
}
show($server, 'ls');

$json = cli(['--server=' . $server->dsn(), 'ls', '--json'])->json();
$found = array_map(fn ($lock) => isset($lock['name_base64']) ? base64_decode($lock['name_base64']) : $lock['name'], $json);
is_so('JSON brings back every name', array_diff($names, $found) === [] && count($found) === count($names), $found);

// An argument cannot hold a NUL.
foreach (array_diff($names, ["nul\0nul"]) as $name) {
    $run = cli(['--server=' . $server->dsn(), 'show', '--json', '--', $name]);
    if ($run->status !== 0 || $run->json()['owner'] !== $lock->token($name)) {
        echo 'not shown: ', json_encode($name), $run->out, $run->err;
    }
}

echo "a prefix that looks like a pattern\n";
$strange = new RedisLock($server->dsn(), ['prefix' => 'l*[o]\\']);
$strange->lock('x');
show($server, '--prefix=l*[o]\\', 'ls');
?>
--EXPECT--
NAME        OWNER                     AGE   LEASE  RENEWED  WAITERS
\x1b[2J     foreign: token 0\x1b[31m  N s                 0
*[a]?       foreign: token 5\x1b[31m  N s                 0
a\x0ab      foreign: token 1\x1b[31m  N s                 0
back\slash  foreign: token 3\x1b[31m  N s                 0
nul\x00nul  foreign: token 6\x1b[31m  N s                 0
 spaces     foreign: token 7\x1b[31m  N s                 0
库存        foreign: token 4\x1b[31m  N s                 0
\xff\xfe    foreign: token 2\x1b[31m  N s                 0
=> 0
JSON brings back every name: yes
a prefix that looks like a pattern
NAME  OWNER                       AGE   LEASE  RENEWED  WAITERS
x     rl:0000000000000000000000…  N s                 0
=> 0
