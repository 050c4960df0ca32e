--TEST--
A signal and a loss while one long call of PHP runs: the handler is called, and the exception is thrown behind it
--EXTENSIONS--
redislock
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('a call that takes some seconds takes minutes');
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

// bin/test loads pcntl in front of the module, or behind it.
$loaded = array_flip(get_loaded_extensions());
is_so('pcntl is where it was asked for', (getenv('REDISLOCK_TEST_PCNTL') === 'behind') === ($loaded['pcntl'] > $loaded['redislock']));

$server = RedisServer::start();
$redis = $server->client();
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () {
    echo "the handler\n";
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

// By the time that the processor takes: on a busy machine any other says little.
$worked = fn () => getrusage()['ru_utime.tv_sec'] + getrusage()['ru_utime.tv_usec'] / 1e6;
$rounds = 1;
do {
    $rounds *= 2;
    $before = $worked();
    hash_pbkdf2('sha512', 'a', 'b', $rounds);
} while ($worked() - $before < 0.05);
thrown(function () use ($lock, $redis, $rounds) {
    $lock->lock('x');
    take_away($redis, 'x');
    pcntl_alarm(1);
    hash_pbkdf2('sha512', 'a', 'b', 50 * $rounds); // 2.5 s in which no PHP code runs
    return compute(LONG);
});
thrown(fn () => compute(1.2));
?>
--EXPECTF--
pcntl is where it was asked for: yes
the handler
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
nothing thrown, returned 'computed to the end'
