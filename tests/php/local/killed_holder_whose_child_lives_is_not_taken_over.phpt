--TEST--
Takeover: a killed holder whose fork lives may go on there, so its lock is waited for until its lease ends
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn(), ['takeover' => true]);

foreach (['a fork' => true, 'none' => false] as $label => $forks) {
    $lease = $forks ? slow(1.0) : PATIENCE;
    $waiter = $machine->worker();
    $holder = $machine->run(<<<'PHP'
        $lock = new RedisLock($argv[1], ['takeover' => true]);
        echo json_encode($lock->lock('x', 0.0, (float) $argv[2])), "\n";
        $child = $argv[3] !== '' ? pcntl_fork() : 1;
        if ($child > 0) {
            echo $child, "\n";
        }
        while (true) {
            sleep(100);
        }
        PHP, [(string) $lease, $forks ? '1' : '']);
    $taken = now();
    echo "$label: ", $holder->readLine(), ', ';
    $child = (int) $holder->readLine();
    $machine->lineUp([$waiter], 'x', PATIENCE);
    $killed = now();
    $holder->kill();
    $from = $waiter->answer()['result']['from'];
    if ($forks) {
        took_between('seconds', $from - $taken, $lease - 0.2, PATIENCE);
        posix_kill($child, SIGKILL);
    } else {
        took_between('seconds', $from - $killed, 0.0, 0.9);
    }
    echo '    taken over: ', $waiter->call('stats')['taken_over'], "\n";
}
?>
--EXPECT--
a fork: true, seconds: yes
    taken over: 0
none: true, seconds: yes
    taken over: 1
