--TEST--
A lock of the same name on another server, in another database, with another prefix or as another user is another one
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::startAlone(['user alice on >secret ~* &* +@all', 'user bob on >secret ~* &* +@all'], true);
$other = RedisServer::start();
$machine = new Machine($server->dsn());
$start = fn (string $dsn, array $options = []) => Remote::start($dsn, $options + ['local' => true], '', $machine->php());
$holder = $start($server->dsn());
$holder->call('lock', 'x');
$workers = [
    'another server' => $start($other->dsn()),
    'another database' => $start($server->dsn(1)),
    'another prefix' => $start($server->dsn(), ['prefix' => 'other:']),
];
foreach ($workers as $label => $worker) {
    echo "$label: ", json_encode([$worker->call('lock', 'x', 0.2), $worker->call('unlock', 'x')]), "\n";
}
var_dump($holder->call('unlock', 'x'));

// Another user may not be allowed what the first one is: it asks by itself, for the same lock.
$alice = $start($server->tcpDsn('alice:secret'));
$bob = $start($server->tcpDsn('bob:secret'));
$alice->call('lock', 'x');
$bob->begin('turn', 'x', PATIENCE);
await_blocked($server->client(), 1);
echo 'another user: ', json_encode([$alice->call('unlock', 'x'), $bob->answer()['result']['released']]), "\n";
is_so('none was passed on', passed_on([$holder, $alice, $bob]) === 0);
?>
--EXPECT--
another server: [true,true]
another database: [true,true]
another prefix: [true,true]
bool(true)
another user: [true,true]
none was passed on: yes
