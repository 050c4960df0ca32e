--TEST--
The loss of a lock that was passed on is thrown in the code of its new holder
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../renew/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$workers = $machine->workers(2, ['renew' => true, 'on_loss' => 'throw']);
[$holder, $heir] = $workers;
$holder->call('lock', 'x', 0.0, lease(0.6));
$machine->lineUpFor([$heir], 'run', '
    $lock->lock("x", 10.0, ' . lease(0.6) . ');
    try {
        for ($i = 0; $i < 2000; $i++) {
            usleep(10000);
        }
        return "NOTHING THROWN";
    } catch (RedisLockLostException $e) {
        return [get_class($e), $now(), $lock->unlock("x")];
    }
');
var_dump($holder->call('unlock', 'x'));
usleep((int) (1e6 * lease(1.0)));
$deleted = now();
$redis->cmd('DEL', 'lock:x');
[$class, $thrown, $unlocked] = $heir->answer()['result'];
var_dump($class, $unlocked);
took_between('seconds until it was thrown', $thrown - $deleted, 0.0, lease(0.6));
is_so('it was passed on', passed_on($workers) === 1);
?>
--EXPECT--
bool(true)
string(22) "RedisLockLostException"
bool(false)
seconds until it was thrown: yes
it was passed on: yes
