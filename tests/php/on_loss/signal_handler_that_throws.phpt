--TEST--
A signal handler that throws and a loss at the same moment: both exceptions come, the one behind the other
--EXTENSIONS--
redislock
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () {
    throw new DomainException('of the handler');
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

$seen = [];
for ($i = 0; $i < 2; $i++) {
    try {
        if ($i === 0) {
            $lock->lock('x');
            take_away($redis, 'x');
            pcntl_alarm(2);
            time_nanosleep(30, 0); // the lock is lost meanwhile, and the signal ends it
        }
        compute(LONG);
    } catch (Exception $e) {
        for (; $e; $e = $e->getPrevious()) {
            $seen[] = get_class($e);
        }
        if (count($seen) === 2) {
            break;
        }
    }
}
sort($seen);
print_r($seen);
thrown(fn () => compute(0.2));
?>
--EXPECT--
Array
(
    [0] => DomainException
    [1] => RedisLockLostException
)
nothing thrown, returned 'computed to the end'
