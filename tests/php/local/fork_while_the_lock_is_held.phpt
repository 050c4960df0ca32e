--TEST--
A fork of a holder: the lock is the parent's, which passes it on; the child can line up by itself
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
$machine = new Machine($server->dsn());

$worker = $machine->worker();
$holder = $machine->run(<<<'PHP'
    $lock = new RedisLock($argv[1]);
    echo json_encode($lock->lock('x')), "\n";
    fgets(STDIN);
    if (($child = pcntl_fork()) === 0) {
        echo 'child: ' . json_encode([$lock->held(), $lock->unlock('x'), $lock->isLocking('x'), $lock->lock('x'), $lock->lock('y'), $lock->unlock('y')]) . "\n";
        echo 'child: ' . json_encode([$lock->lock('x', 20.0), $lock->unlock('x')]) . "\n";
        exit;
    }
    fgets(STDIN);
    echo 'parent: ' . json_encode([array_keys($lock->held()), $lock->isLocking('x'), $lock->unlock('x'), RedisLock::stats()['passed_on']]) . "\n";
    pcntl_waitpid($child, $status);
    PHP);
echo $holder->readLine(), "\n";
$machine->lineUp([$worker], 'x', PATIENCE, 0.05);
$holder->tell('fork');
echo $holder->readLine(), "\n";
$machine->awaitWaiting(2);
$holder->tell('go on');
$said = explode("\n", trim($holder->output()));
sort($said); // whichever comes first
print_r($said);
check_turns([$worker]);
is_so('the worker has passed it on to the child', passed_on([$worker]) === 1);
print_r(all_keys($redis));
?>
--EXPECT--
true
child: [[],false,false,false,true,true]
Array
(
    [0] => child: [true,true]
    [1] => parent: [["x"],true,true,1]
)
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
the worker has passed it on to the child: yes
Array
(
)
