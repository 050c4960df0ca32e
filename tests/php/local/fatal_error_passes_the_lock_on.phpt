--TEST--
A fatal error of a lock's holder lets the next worker in line here go on at once
--DESCRIPTION--
Leaves memory to PHP's allocator.
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
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(2);
$holder = $machine->run('
    $lock = new RedisLock($argv[1]);
    echo json_encode($lock->lock("x")), "\n";
    fgets(STDIN);
    ini_set("display_errors", "0");
    trigger_error("the end", E_USER_ERROR);');
echo $holder->readLine(), "\n";
$machine->lineUp($workers, 'x', PATIENCE);
$began = now();
$holder->tell('end');
$answers = check_turns($workers);
took_between('seconds', $answers[0]['result']['from'] - $began, 0, 1);
var_dump($holder->output());
print_r(all_keys($redis));
?>
--EXPECT--
true
each had its turn: yes
each released its own: yes
in the order of arrival: yes
one after another: yes
seconds: yes
string(0) ""
Array
(
)
