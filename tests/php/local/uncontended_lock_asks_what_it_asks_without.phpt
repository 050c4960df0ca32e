--TEST--
Where nobody waits, a lock and its release send the same requests as without the option
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$machine = new Machine($wire->dsn());
$sent = [];
foreach ([true, false] as $local) {
    $worker = $machine->worker(['local' => $local]);
    $worker->call('turn', 'x', PATIENCE);
    $wire->forget();
    $worker->call('turn', 'x', PATIENCE);
    $worker->call('turn', 'x', 0.0);
    $sent[] = array_map(fn ($args) => array_map(fn ($arg) => preg_replace('/[0-9a-f]{8,}.*/', '*', $arg), $args), $wire->requestArgs());
}
echo count($sent[0]), "\n";
is_so('the same', $sent[0] === $sent[1], $sent);
?>
--EXPECT--
4
the same: yes
