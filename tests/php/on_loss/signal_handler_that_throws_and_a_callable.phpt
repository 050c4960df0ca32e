--TEST--
A signal handler that throws and a loss at the same moment: the function is called too, and the exception is not lost
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
$told = [];
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => function (string $name) use (&$told) {
    $told[] = $name;
}]);

thrown(function () use ($lock, $redis) {
    $lock->lock('x');
    take_away($redis, 'x');
    pcntl_alarm(2);
    time_nanosleep(30, 0); // the lock is lost meanwhile, and the signal ends it
    compute(LONG);
});
is_so('told', compute_until(function () use (&$told) {
    return $told !== [];
}));
thrown(fn () => compute(0.2));
echo implode(' ', $told), "\n";
?>
--EXPECT--
DomainException: of the handler
told: yes
nothing thrown, returned 'computed to the end'
x
