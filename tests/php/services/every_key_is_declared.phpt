--TEST--
Scripts use no key that is not among those that they were given, which ElastiCache Serverless and Dragonfly refuse
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';

/** The arguments of a line of MONITOR, and whether a script has sent them. */
function monitored(string $line): array
{
    preg_match_all('/"((?:[^"\\\\]|\\\\.)*)"/', $line, $words);
    return [array_map(stripcslashes(...), $words[1]), (bool) preg_match('/^\S+ \[\d+ lua\]/', $line)];
}

$server = RedisServer::start();
$monitor = $server->client();
$monitor->cmd('MONITOR');
ob_start();
use_service($server->dsn(), ['fencing' => true]);
is_so('all of it works', !preg_match('/: (?!yes$)/m', ob_get_clean()));
$server->client()->cmd('PING', 'end');

$declared = $undeclared = [];
for ($calls = 0; [$words, $is_inside] = monitored($monitor->reply()), $words !== ['PING', 'end'];) {
    if (!$is_inside) {
        $declared = in_array(strtoupper($words[0]), ['EVAL', 'EVALSHA'], true) ? array_slice($words, 3, (int) $words[2]) : [];
    } elseif (strtoupper($words[0]) !== 'TIME') {
        $calls++;
        $keys = strtoupper($words[0]) === 'DEL' ? array_slice($words, 1) : [$words[1]];
        $undeclared += array_flip(array_diff($keys, $declared));
    }
}
is_so('scripts have sent many commands', $calls > 100, $calls);
echo 'not declared: ', json_encode(array_keys($undeclared)), "\n";
?>
--EXPECT--
all of it works: yes
scripts have sent many commands: yes
not declared: []
