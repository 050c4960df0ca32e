--TEST--
Those in line survive a restart of the server, whether they were connected to it or not: one that began without its answer fails
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the first in line asks Redis by itself after 3 s');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
foreach (['connected' => [1, 0], 'not connected' => [0, 0], 'renewed' => [1, 1]] as $label => [$connects, $renews]) {
    $machine = new Machine($server->dsn());
    $holder = $machine->worker();
    $holder->call('lock', 'x', 0.0, 60.0);
    $workers = [];
    for ($i = 0; $i < 4; $i++) {
        $workers[] = $worker = $machine->run(<<<'PHP'
            $lock = new RedisLock($argv[1], ['renew' => (bool) $argv[3]]);
            if ($argv[2]) {
                $lock->owner('nobody');
            }
            fgets(STDIN);
            try {
                $got = $lock->lock('x', 30.0);
                $failed = 'in unlock()';
                echo json_encode([$got, $lock->unlock('x')]), "\n";
            } catch (RedisLockConnectionException $e) {
                echo 'failed ', $failed ?? 'in lock()', "\n";
            }
            PHP, [$connects, $renews]);
        $worker->tell('go');
        $machine->awaitWaiting($i + 1);
    }
    $server->kill();
    $holder->begin('unlock', 'x');
    usleep(2_500_000);
    $server->restart();
    echo "$label\n    the holder: ", explode(':', $holder->answer()['error'])[0], "\n";
    foreach ($workers as $worker) {
        echo '    ', trim($worker->output(slow(40.0))), "\n";
    }
    print_r(all_keys($server->client()));
}
?>
--EXPECT--
connected
    the holder: RedisLockConnectionException
    failed in unlock()
    [true,true]
    [true,true]
    [true,true]
Array
(
)
not connected
    the holder: RedisLockConnectionException
    failed in unlock()
    [true,true]
    [true,true]
    [true,true]
Array
(
)
renewed
    the holder: RedisLockConnectionException
    [true,true]
    [true,true]
    [true,true]
    [true,true]
Array
(
)
