--TEST--
The reply to a waiter's look is lost: it goes on waiting, and gets the lock when it is released
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
    $waiter = Worker::start('
        require $argv[2];
        $lock = new RedisLock($argv[1], ["connect_timeout" => slow(1), "read_timeout" => slow(1)]);
        echo outcome(fn () => $lock->lock("x", timeout: 20)), "\n";
        echo $lock->unlockAll() ? "released\n" : "NOT OURS\n";
    ', [$wire->dsn(), __DIR__ . '/../inc/check.inc']);
    is_so('it waits', wait_until(fn () => $lock->waiters('x') === 1));
    $wire->forget();
    $wire->$fault('EVALSHA'); // nothing else is asked while the holder sits still
    is_so("$fault struck", wait_until(fn () => in_array('EVALSHA', $wire->requests())));
    is_so('  it looks again', wait_until(fn () => count(array_keys($wire->requests(), 'EVALSHA')) >= 2));
    is_so('  it waits', $lock->waiters('x') === 1, $lock->waiters('x'));
    $lock->unlock('x');
    echo '  ', $waiter->readLine(), "\n";
    echo '  ', $waiter->readLine(), "\n";
    is_so('  nothing is left', wait_until(fn () => all_keys($redis) === [], 3), all_keys($redis));
}
?>
--EXPECT--
it waits: yes
loseReply struck: yes
  it looks again: yes
  it waits: yes
  true
  released
  nothing is left: yes
it waits: yes
loseRequest struck: yes
  it looks again: yes
  it waits: yes
  true
  released
  nothing is left: yes
it waits: yes
silence struck: yes
  it looks again: yes
  it waits: yes
  true
  released
  nothing is left: yes
