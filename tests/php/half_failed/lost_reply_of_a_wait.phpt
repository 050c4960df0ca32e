--TEST--
The BLPOP's reply is lost when the lock was handed over: the waiter has it all the same, or nobody
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['loseReply', 'loseRequest', 'silence'] as $fault) {
    $wire = new Wire($server);
    $lock->lock('x');
    $wire->$fault('BLPOP');
    $waiter = Worker::start('
        require $argv[2];
        $lock = new RedisLock($argv[1], ["connect_timeout" => 0.2, "read_timeout" => 0.2]);
        echo outcome(fn () => $lock->lock("x", timeout: 2)), "\n";
        echo $lock->unlockAll() ? "released\n" : "NOT OURS\n";
    ', [$wire->dsn(), __DIR__ . '/../inc/check.inc']);
    is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));
    usleep(20000); // until it blocks
    $lock->unlock('x');
    $outcome = $waiter->readLine();
    is_so($fault, $outcome === 'true' || $fault === 'silence' && in_array($outcome, ['false', 'RedisLockConnectionException']), $outcome);
    echo '  ', $waiter->readLine(), "\n";
    is_so('  nothing is left', wait_until(fn () => all_keys($redis) === [], 3), all_keys($redis));
}
?>
--EXPECT--
it waits: yes
loseReply: yes
  released
  nothing is left: yes
it waits: yes
loseRequest: yes
  released
  nothing is left: yes
it waits: yes
silence: yes
  released
  nothing is left: yes
