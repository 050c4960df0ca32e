--TEST--
redislock doctor: no server, one that hangs, and one that lets nobody in are CRITICAL; a wrong command line is UNKNOWN
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

/** Shows its first line and its exit status. */
function first_line(string $server, array $args, array $options = [], ?array $php = null): void
{
    $run = cli(['--server=env:REDISLOCK_SERVER', ...$args], ['REDISLOCK_SERVER' => $server], $options, $php);
    echo same_each_time(preg_replace('~ into .*~', ' …', strtok($run->out, "\n"))), " => $run->status$run->err\n";
}

first_line('redis://127.0.0.1:1', ['doctor']);
first_line('unix:///nonexistent', ['doctor']);
$server = RedisServer::start(HEALTHY, password: 'secret');
first_line('unix://' . $server->socket(), ['doctor']);
first_line('unix://:wrong@' . $server->socket(), ['doctor']);
$server->pause();
first_line('unix://:secret@' . $server->socket(), ['doctor'], ['-d', 'redislock.read_timeout=0.2']);
$server->resume();
first_line('http://127.0.0.1', ['doctor']);
first_line('redis://127.0.0.1:1', ['--bogus', 'doctor']);
first_line('redis://127.0.0.1:1', ['doctor', 'SKU0001']);
first_line('redis://127.0.0.1:1', ['doctor', '--user']);
first_line('redis://127.0.0.1:1', ['show', 'doctor', '--bogus']);
first_line('redis://127.0.0.1:1', ['doctor'], [], [PHP_BINARY, '-n']);
echo stripcslashes(same_each_time(cli(['--server=redis://127.0.0.1:1', 'doctor', '--json'])->out));
?>
--EXPECT--
REDISLOCK CRITICAL - redis://HOST:PORT/0: it cannot be reached: Connection refused => 2
REDISLOCK CRITICAL - unix://…: it cannot be reached: No such file or directory => 2
REDISLOCK CRITICAL - unix://…: it lets nobody in: a password is needed (NOAUTH): put [user]:password@ before the host, all of it … => 2
REDISLOCK CRITICAL - unix://…: it lets nobody in: the login was refused (WRONGPASS) => 2
REDISLOCK CRITICAL - unix://…: it cannot be reached: no answer in time => 2
REDISLOCK UNKNOWN - redislock: --server: the scheme must be redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster, valkey, valkeys, tcp, tls or unix => 3
REDISLOCK UNKNOWN - redislock: there is no option --bogus => 3
REDISLOCK UNKNOWN - redislock: what is SKU0001? redislock --help tells => 3
REDISLOCK UNKNOWN - redislock: --user needs a value => 3
 => 2redislock: there is no option --bogus

REDISLOCK UNKNOWN - redislock: the extension redislock is not loaded … => 3
{
    "status": "CRITICAL",
    "exit": 2,
    "summary": "REDISLOCK CRITICAL - redis://HOST:PORT/0: it cannot be reached: Connection refused",
    "remarks": [
        {
            "level": "critical",
            "about": "lock",
            "what": "it cannot be reached: Connection refused",
            "advice": "see whether it runs, and whether it can be reached from here",
            "commands": []
        }
    ],
    "servers": {
        "redis://HOST:PORT/0": {
            "server": "redis://HOST:PORT/0",
            "error": "Connection refused"
        }
    }
}
